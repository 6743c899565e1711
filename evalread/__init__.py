"""Files of predictions: read, recognised and checked."""
