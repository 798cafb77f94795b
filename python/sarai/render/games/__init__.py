"""One folder a game: what is read of a view, drawn of it, and written as text."""
