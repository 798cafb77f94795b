"""Agents against one another: the arena, evaluations and sequential tests."""
