"""What every test may rely on: where others' published results are, and that nothing is skipped unseen.

Published results are read where they lie: ARPAD_DATA, else `../shared/data` beside the checkout. A test that takes the
fixture `published` is skipped where they are absent. With CI set their absence is fatal, and every skip a failure.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.demo import demo_copy, demo_office
from tests.places import place, server

__all__ = ["demo_copy", "demo_office", "place", "server"]  # fixtures

# How long an example takes says more of the machine, and of what else it does, than of arpad.
settings.register_profile("arpad", deadline=None)
settings.load_profile("arpad")

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ARPAD_DATA") or ROOT.parent / "shared" / "data")
CI = os.environ.get("CI", "").lower() not in ("", "0", "false")


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of others' published results; skips the test where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"published results are not at {DATA} (set ARPAD_DATA)")
    return DATA


def pytest_configure(config: pytest.Config) -> None:
    if CI and not DATA.is_dir():
        raise pytest.UsageError(f"CI is set, but the published results are not at {DATA}: set ARPAD_DATA")


def pytest_collection_finish() -> None:
    """What is loaded by now stays, and is no longer looked through for garbage; and garbage is seldom looked for: both
    took a fifth of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why something was skipped: `longrepr` of a skip is (file, line, reason)."""
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)


def _forbid_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        report.longrepr = f"skipped although CI is set: {_reason(report)}"
        report.outcome = "failed"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _forbid_skip(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.getreports("skipped")
    if skipped:
        terminalreporter.section("skipped, by name")
        for report in skipped:
            terminalreporter.line(f"{report.nodeid}: {_reason(report).removeprefix('Skipped: ')}")
