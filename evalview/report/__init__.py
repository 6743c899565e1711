"""A report: one document of what a data set says, as HTML that needs no network, or Markdown."""
