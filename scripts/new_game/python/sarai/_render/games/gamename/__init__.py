"""The board of Gamename."""
