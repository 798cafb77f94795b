"""GitHub's workflows: what zizmor (`make check-workflows`) does not look at."""

from __future__ import annotations

import re
from collections import defaultdict

from helpers.places import ROOT

WORKFLOWS = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").iterdir()}
CI_RUN = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def jobs(workflow: str) -> dict[str, str]:
    """The text of each job; enough of YAML for files that are indented by two blanks."""
    _, _, text = WORKFLOWS[workflow].partition("\njobs:\n")
    parts = re.split(r"^  ([\w-]+):\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_job_ends() -> None:
    # One that calls a workflow has the limits of the jobs there.
    limit = re.compile(r"^    (timeout-minutes: \d+|uses: \./\.github/workflows/\w+\.yml)$", re.MULTILINE)
    found = [(workflow, job) for workflow in WORKFLOWS for job in jobs(workflow)]
    assert len(found) > 10
    for workflow, job in found:
        assert limit.search(jobs(workflow)[job]), job


def test_every_action_has_one_digest_and_says_its_version() -> None:
    digests = defaultdict(set)
    for text in WORKFLOWS.values():
        for action, pin in re.findall(r"uses: ([^.@\s][^@\s]*)(.*)", text):
            digests[action].add(pin)
    assert len(digests) > 5
    for action, (pin, *others) in digests.items():
        assert others == [], action
        assert re.fullmatch(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+", pin), action


def test_nothing_is_published_that_has_not_passed_everything() -> None:
    needed = re.search(r"^    needs: \[(.*)\]$", jobs("release")["publish"], re.MULTILINE)
    assert needed
    assert set(needed[1].split(", ")) == set(jobs("release")) - {"publish", "site"}
    assert "    needs: publish\n" in jobs("release")["site"]
    for workflow in ("ci", "nightly"):
        assert f"    uses: ./.github/workflows/{workflow}.yml\n" in jobs("release")[workflow]
        assert "\n  workflow_call:\n" in WORKFLOWS[workflow]
        # No job of the workflow that is called may be left out in silence.
        assert not re.search(r"^    (if|continue-on-error):", WORKFLOWS[workflow], re.MULTILINE)


def test_every_target_that_is_run_is_one_of_make() -> None:
    lines = re.findall(r"^step ([a-z -]+?)(?: [A-Z]+=.*)?$", CI_RUN, re.MULTILINE)
    for text in WORKFLOWS.values():
        lines += re.findall(r"run: make ([a-z -]+)", text)
    run = {target for line in lines for target in line.split()}
    assert run > {"test", "check", "nightly"}
    assert run <= set(re.findall(r"^([a-z-]+):.* ## ", MAKEFILE, re.MULTILINE))
    assert "bash .ci/run\n" in WORKFLOWS["ci"]


def test_wheels_are_built_by_the_locked_maturin() -> None:
    lock = (ROOT / "locks" / "run.lock").read_text(encoding="utf-8")
    (locked,) = re.findall(r"^maturin==(\S+)", lock, re.MULTILINE)
    named = re.findall(r"maturin-version: v(\S+)", WORKFLOWS["release"])
    assert named == [locked] * WORKFLOWS["release"].count("PyO3/maturin-action@")


def test_every_wheel_is_for_one_kind_of_python() -> None:
    # Without a name, maturin builds for every interpreter of a container, those without a stable ABI too.
    assert "--interpreter python3.10" in jobs("release")["linux"]
    assert "'python3.14t'" in jobs("release")["free-threaded"]
    assert "ls dist/sarai-*-cp314-cp314t-*.whl" in jobs("release")["free-threaded"]
