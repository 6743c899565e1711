"""Methods of scikit-learn, run on the data at hand to learn from what they do."""
