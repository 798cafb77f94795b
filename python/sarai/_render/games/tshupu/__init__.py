"""The board of T'shu-p'u."""
