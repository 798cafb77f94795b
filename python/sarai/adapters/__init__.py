"""Adapters to libraries that train or search: each module imports its library, and is imported only when used.

- `sarai.adapters.openspiel`: every game as a game of OpenSpiel.
- `sarai.adapters.sb3`: a `VecEnv` for Stable-Baselines3 and sb3-contrib, with action masks.
- `sarai.adapters.rllib`: a `MultiAgentEnv` for RLlib.
- `sarai.adapters.torchrl`: an environment for TorchRL.
"""
