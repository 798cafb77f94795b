"""An attack on everything that takes input: bad values, broken files, faults of the system, Ctrl-C.

`python -m attack --help` (with `tests/` on the path) says how to run it; `make attack` runs it without end.

Every module here with a function `attack(trial)` is a group. A call of it is one case, made from nothing but the
trial's generator, so a finding can be had again from its group, seed and number.
"""
