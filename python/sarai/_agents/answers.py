"""What policies answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sarai._base.arguments import in_words, masked
from sarai._core import IllegalActionError


def judged(
    given: object, masks: NDArray[np.int8], lanes: NDArray[np.intp] | None = None, who: str = "a policy"
) -> NDArray[np.int64]:
    """What a policy returned, as one action for each row of the masks.

    Raises:
        IllegalActionError: One is not legal.
        TypeError: They are no integers.
        ValueError: They are masked, or not as many as there are rows.
    """
    if masked(given):
        raise ValueError(
            f"the actions that {who} returned must be integers, and some are masked: give them all"
        )
    try:
        answer = np.asarray(given)
    except ValueError as error:
        raise ValueError(
            f"the actions that {who} returned must have the shape ({len(masks)},): {error}"
        ) from None
    # Integers that no dtype holds are integers all the same, if illegal ones; a bool among integers has become one.
    # numpy does not go through an array of more than 32 dimensions; its shape is refused below.
    through = answer.dtype.kind == "O" and answer.ndim <= 32
    each = answer.flat if through else given if isinstance(given, list | tuple) else ()
    wrong = [value for value in each if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__")]
    if wrong and not np.ndim(wrong[0]):
        raise TypeError(f"the actions that {who} returned must be integers, not {type(wrong[0]).__name__}")
    if answer.dtype.kind not in "iuO":
        raise TypeError(f"the actions that {who} returned must be integers, not {answer.dtype}")
    if answer.shape != (len(masks),):
        raise ValueError(
            f"the actions that {who} returned must have the shape ({len(masks)},), not {answer.shape}"
        )
    known = ((answer >= 0) & (answer < masks.shape[1])).astype(np.bool_)
    legal = known & (masks[np.arange(len(masks)), np.where(known, answer, 0).astype(np.int64)] == 1)
    if not legal.all():
        row = int(np.argmin(legal))
        where = "" if lanes is None else f"lane {lanes[row]}: "
        allowed = ", ".join(map(str, np.flatnonzero(masks[row])))
        raise IllegalActionError(
            f"{where}{who} chose action {in_words(int(answer[row]))}, which is not legal here; "
            f"the legal ones are {allowed}"
        )
    return answer.astype(np.int64)
