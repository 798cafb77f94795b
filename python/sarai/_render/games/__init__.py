"""One folder a game: what is read of a view, and written as text."""
