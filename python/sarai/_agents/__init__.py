"""The inside of `sarai.agents`."""
