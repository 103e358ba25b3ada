"""Does it help? Scores of predictions, and later whole experiments."""
