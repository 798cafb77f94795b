"""The inside of `sarai.benchmark`."""
