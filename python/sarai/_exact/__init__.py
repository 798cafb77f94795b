"""The inside of `sarai.exact`."""
