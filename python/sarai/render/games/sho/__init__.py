"""The board of Sho."""
