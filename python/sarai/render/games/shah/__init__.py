"""The board of Shah."""
