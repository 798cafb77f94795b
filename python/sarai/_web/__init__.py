"""Boards that are played on: games under way for a page or a notebook, and the local page itself."""
