"""What the threshold explorer needs from Python, wherever it is shown; never streamlit."""
