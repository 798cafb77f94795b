"""The inside of `sarai.nets`."""
