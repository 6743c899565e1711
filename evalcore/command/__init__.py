"""What the command line is made of: options, requirements, text and JSON."""
