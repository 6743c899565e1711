"""One file per figure: results in, a plotly Figure out."""
