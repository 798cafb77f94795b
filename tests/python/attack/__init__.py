"""An attack on everything that takes input: bad values, broken files, policies that misbehave, Ctrl-C, faults.

Strategies make the values (`values.py`), and one oracle judges each call (`oracle.py`): it is accepted, or refused with
a ValueError or TypeError and a sentence of bounded length, and what was refused has changed nothing.

In the fast suite each test tries a few examples, the same ones every time: the profile "fast" of
tests/python/conftest.py. Run with `-m nightly`, conftest.py loads the profile "nightly" and marks every test with
hypothesis as nightly: `pytest tests/python/attack -m nightly` tries twenty times as many examples, new ones each time,
and prints how to have one that fails again. `tries` in `oracle.py` says how many examples a test is worth.
"""
