"""What the columns of a table mean: truth, predictions, scores, folds and clusterings."""
