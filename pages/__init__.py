"""What the dashboard shows; computes nothing."""
