"""The API keeps to its document: everything that it allows to be asked is asked, by the public and by an officer.

No answer is a defect (5xx), and each has a status, a form and a body that the document tells of.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from litestar.middleware.rate_limit import RateLimitConfig

from arpad.accounts import book
from arpad.bureau.opened import open_office
from arpad.web import limits
from arpad.web.api.document import described, operations
from arpad.web.api.examples import PATHS, QUERIES
from arpad.web.app import create_app
from arpad.web.callers import Caller
from tests.web.callers import As

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis.checks import CHECKS, load_all_checks

    load_all_checks()

FITTING, UNFITTING = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
#: Much that fits a schema can still not be so (two ratings too far apart, a cursor that nobody was given): 400 or 422.
LENIENT = CHECKS.get_by_names(["positive_data_acceptance"])


@pytest.fixture(params=["public", "officer"])
def target(request: pytest.FixtureRequest, office: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The application, to which everybody is the public, or an officer with an account."""
    monkeypatch.setattr(limits, "API", RateLimitConfig(("minute", 10**9)))
    with open_office(office) as opened:
        officer = book.add(opened, "Olga", "officer", by="admin")
    app = create_app(office)
    if request.param == "public":
        return app
    for _, _, operation in operations(described(app)):
        operation["security"] = []  # whoever is made somebody by `As` need not show a token
    return As(app, Caller("officer", officer.id, officer.name))


def breaches(target: Any, examples: int, modes: Sequence[schemathesis.GenerationMode]) -> list[str]:
    """What does not keep to the document, of so many requests an operation that fit it, or that do not."""
    found: list[str] = []
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", target)
    every = [each.ok() for each in schema.get_all_operations()]
    assert len(every) > 30
    for operation in every:
        for mode in modes:

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=examples,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            def asked(case: Any) -> None:
                answer = case.call()
                try:
                    case.validate_response(answer, excluded_checks=LENIENT)
                except schemathesis.core.failures.FailureGroup as error:
                    found.append(f"{case.method} {case.path} {answer.status_code}: {error}")

            with suppress(Unsatisfiable) if mode.is_negative else nullcontext():  # any text is a text
                asked()
    return found


@pytest.mark.filterwarnings("ignore")
def test_a_few_requests_of_every_kind(target: Any) -> None:
    assert breaches(target, 1, [FITTING]) == []


@pytest.mark.filterwarnings("ignore")
def test_what_the_examples_ask_for_is_answered_as_the_document_says(target: Any) -> None:
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", target)
    told = [each.ok() for each in schema.get_all_operations()]
    statuses = []
    for each in (each for each in told if each.method == "get"):
        asked = PATHS | QUERIES.get(f"GET {each.path.removeprefix('/api/v1')}", {})
        path = {name: value for name, value in asked.items() if f"{{{name}}}" in each.path}
        case = each.Case(
            path_parameters=path, query={name: value for name, value in asked.items() if name not in PATHS}
        )
        answer = case.call()
        case.validate_response(answer, excluded_checks=LENIENT)
        statuses.append(answer.status_code)
    assert statuses.count(200) >= 30


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore")
def test_many_requests_of_every_kind(target: Any) -> None:
    assert breaches(target, 100, [FITTING, UNFITTING]) == []
