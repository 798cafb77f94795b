"""The inside of `sarai.render`."""
