"""The inside of `sarai.training`."""
