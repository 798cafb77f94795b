"""The inside of `sarai.results`."""
