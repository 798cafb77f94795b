"""The inside of `sarai.datasets`."""
