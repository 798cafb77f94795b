"""Whatever runs tasks, behind one function: `results` hands out tasks, a few at a time, and yields what comes back."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from importlib import import_module
from typing import Any, TypeVar

from sarai._base import arguments
from sarai._base.extras import needed
from sarai.agents import Agent

T = TypeVar("T")
R = TypeVar("R")

_RETRIES = 5
"""How often Ray tries a task again whose worker was lost."""

_GRACE = 1.0
"""Seconds for Ray's tasks to end by themselves before they are cancelled."""


def check(executor: object, agents: Iterable[Agent] = ()) -> None:
    """Refuse what cannot run tasks, or does not take these agents to its workers, before anything is done.

    Raises:
        TypeError: It is nothing of the kind, or an agent cannot be pickled.
        ImportError: It is "ray", which is not installed.

    >>> check(None)
    >>> check("spark")
    Traceback (most recent call last):
    ...
    TypeError: executor must be None, "ray", ... not 'spark'
    """
    if isinstance(executor, futures.ProcessPoolExecutor):
        try:
            pickle.dumps(agents)
        except Exception as error:
            raise TypeError(
                "agents travel to other processes by pickle, and one of these cannot be pickled: define it in a "
                "module, outside any function, or take a ThreadPoolExecutor"
            ) from error
    submits = not isinstance(executor, type) and callable(getattr(executor, "submit", None))
    if executor is None or _library(executor) == "joblib" or submits:
        return
    if _is_ray(executor):
        _ray()
        return
    raise TypeError(
        'executor must be None, "ray", the module ray, a dask.distributed.Client, a joblib.Parallel, or have the '
        f"method submit of concurrent.futures, not {arguments.short(executor)}"
    )


def results(
    executor: Any, function: Callable[[T], R], tasks: Iterable[T], in_flight: int | None
) -> Iterator[R]:
    """What the function makes of each task, in the order in which they end.

    At most `in_flight` tasks are handed out at a time (twice as many as there are workers, if None); joblib has a
    setting of its own for that, `pre_dispatch`. When the iterator is closed, or a task has failed, those that have not
    begun are withdrawn; on Ray, those that do not end within a second are interrupted as well.
    """
    if executor is None:
        yield from map(function, tasks)
    elif _is_ray(executor):
        yield from _on_ray(function, tasks, in_flight)
    elif _library(executor) == "joblib":
        yield from executor(import_module("joblib").delayed(function)(task) for task in tasks)
    elif callable(getattr(executor, "get_executor", None)):
        # A Dask client; this is its own face of concurrent.futures. Tasks are not pure: they write files.
        most = in_flight or 2 * sum(executor.nthreads().values())
        yield from _bounded(executor.get_executor(pure=False).submit, function, tasks, most, _withdraw)
    else:
        most = in_flight or 2 * (os.cpu_count() or 1)
        yield from _bounded(executor.submit, function, tasks, most, _withdraw)


def processes(workers: int) -> futures.ProcessPoolExecutor:
    """Processes on this machine that end when this one does, killed or not, and leave Ctrl-C to it."""
    fresh = multiprocessing.get_context("spawn")
    return futures.ProcessPoolExecutor(workers, mp_context=fresh, initializer=_serve)


def _serve() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    """A pool's process would otherwise wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _bounded(
    submit: Callable[..., futures.Future[R]],
    function: Callable[[T], R],
    tasks: Iterable[T],
    most: int,
    withdraw: Callable[[set[Any]], object],
) -> Iterator[R]:
    left = iter(tasks)
    waiting: set[futures.Future[R]] = set()
    try:
        while True:
            waiting |= {
                submit(function, task) for task in itertools.islice(left, max(most, 1) - len(waiting))
            }
            if not waiting:
                return
            done, waiting = futures.wait(waiting, return_when=futures.FIRST_COMPLETED)
            for one in done:
                yield one.result()
    finally:
        withdraw(waiting)


def _withdraw(waiting: set[futures.Future[Any]]) -> None:
    for one in waiting:
        one.cancel()


def _on_ray(function: Callable[[T], R], tasks: Iterable[T], in_flight: int | None) -> Iterator[R]:
    """As tasks, which Ray repeats where a worker is lost; what they return is a few words a part."""
    ray = _ray()
    if not ray.is_initialized():
        ray.init()
    remote = ray.remote(function).options(max_retries=_RETRIES, num_cpus=1, scheduling_strategy="SPREAD")

    def submit(_: Callable[[T], R], task: T) -> futures.Future[R]:
        found: futures.Future[R] = remote.remote(task).future()
        return found

    def withdraw(waiting: set[Any]) -> None:
        # What fails for one part fails for most, at about the same time, and Ray 2.60 aborts the process where it is to
        # cancel a task that is just ending. So nearly all of them are left to end.
        try:
            futures.wait(waiting, timeout=_GRACE)
        finally:
            for one in waiting:
                if not one.done():
                    ray.cancel(one.object_ref)

    most = in_flight or 2 * int(ray.cluster_resources().get("CPU", 1))
    yield from _bounded(submit, function, tasks, most, withdraw)


def _ray() -> Any:
    with needed('executor="ray"', "ray"):
        return import_module("ray")


def _is_ray(executor: object) -> bool:
    return executor == "ray" if isinstance(executor, str) else getattr(executor, "__name__", None) == "ray"


def _library(executor: object) -> str:
    return type(executor).__module__.partition(".")[0]
