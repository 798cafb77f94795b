"""Recorded games: the model, and its JSON, text and picture forms."""
