"""Environments: the games in the shapes that trainers expect."""
