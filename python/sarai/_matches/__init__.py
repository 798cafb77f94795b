"""The inside of `sarai.matches`."""
