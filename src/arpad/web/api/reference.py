"""The document of the API as its page shows it: every operation with an example that can be run as it stands."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from arpad.web.api.answering import CSV, JSON, NDJSON
from arpad.web.api.document import operations

TEXTS = {CSV, NDJSON, "text/plain"}
REF = "#/components/schemas/"


class Parameter(msgspec.Struct, frozen=True):
    """Something that is asked with: `place` is path, query or header; `schema` names a schema, if it has one."""

    name: str
    place: str
    required: bool
    kind: str
    schema: str
    choices: tuple[str, ...]
    words: str
    example: str


class Answered(msgspec.Struct, frozen=True):
    """An answer: its status, what it means, and in which form it comes."""

    status: str
    words: str
    form: str
    kind: str
    schema: str


class Operation(msgspec.Struct, frozen=True):
    """Something that can be asked. `scopes` None: by everybody; `body`: an example, `schema` the name of its schema."""

    id: str
    method: str
    path: str
    summary: str
    words: str
    scopes: tuple[str, ...] | None
    parameters: tuple[Parameter, ...]
    body: str
    schema: str
    answers: tuple[Answered, ...]

    def address(self, given: Mapping[str, str]) -> str:
        """Path and query for values of parameters; those that nobody gave are their examples."""
        path, query = self.path, []
        for each in self.parameters:
            value = given.get(each.name, each.example)
            if each.place == "path":
                path = path.replace(f"{{{each.name}}}", quote(value or each.example, safe=""))
            elif each.place == "query" and value:
                query.append((each.name, value))
        return f"{path}?{urlencode(query)}" if query else path


class Group(msgspec.Struct, frozen=True):
    """Operations about one thing."""

    name: str
    words: str
    operations: tuple[Operation, ...]


class Shape(msgspec.Struct, frozen=True):
    """A schema: its fields, or the values that it may have."""

    name: str
    words: str
    fields: tuple[Parameter, ...]


class Reference(msgspec.Struct, frozen=True):
    """The whole document."""

    title: str
    version: str
    words: str
    groups: tuple[Group, ...]
    shapes: tuple[Shape, ...]


def reference(document: Mapping[str, Any]) -> Reference:
    """The document in the order of its tags."""
    told = [
        (operation["tags"][0], _operation(path, method, operation)) for path, method, operation in operations(document)
    ]
    tags = {tag["name"]: tag.get("description", "") for tag in document.get("tags", [])}
    tags |= {tag: "" for tag, _ in told if tag not in tags}
    groups = (Group(tag, words, tuple(each for name, each in told if name == tag)) for tag, words in tags.items())
    info = document["info"]
    return Reference(
        info["title"],
        info["version"],
        info.get("description", ""),
        tuple(group for group in groups if group.operations),
        tuple(_shape(name, schema) for name, schema in sorted(document["components"]["schemas"].items())),
    )


def curl(operation: Operation, base: str, token: str = "…") -> str:
    """The example on a command line."""
    words = ["curl", "-sS"]
    if operation.method != "GET":
        words += ["-X", operation.method]
    words += [part for name, value in _headers(operation, token) for part in ("-H", f"{name}: {value}")]
    if operation.body:
        words += ["-d", json.dumps(json.loads(operation.body), ensure_ascii=False)]
    return shlex.join([*words, base + operation.address({})])


def python(operation: Operation, base: str, token: str = "…") -> str:
    """The example in Python."""
    given = [repr(base + operation.address({}))]
    if operation.body:
        given.append(f"json={json.loads(operation.body)!r}")
    headers = {name: value for name, value in _headers(operation, token) if name != "Content-Type"}
    if headers:
        given.append(f"headers={headers!r}")
    forms = [each.form for each in operation.answers if each.status in ("200", "201", "202")]
    told = "answer.json()" if JSON in forms else "answer.text" if TEXTS & set(forms) else "len(answer.content)"
    last = f"print({told})\n" if forms else ""
    call = f"httpx.{operation.method.lower()}({', '.join(given)})"
    return f"import httpx\n\nanswer = {call}\nanswer.raise_for_status()\n{last}"


def _headers(operation: Operation, token: str) -> Iterator[tuple[str, str]]:
    if operation.scopes is not None:
        yield "Authorization", f"Bearer {token}"
    if operation.body:
        yield "Content-Type", "application/json"


def _operation(path: str, method: str, told: Mapping[str, Any]) -> Operation:
    content = told.get("requestBody", {}).get("content", {})
    form: Mapping[str, Any] = next(iter(content.values()), {})
    scopes = next((each["token"] for each in told["security"] if {} not in told["security"]), None)
    return Operation(
        told["operationId"],
        method.upper(),
        path,
        told.get("summary", ""),
        told.get("description", ""),
        None if scopes is None else tuple(scopes),
        tuple(
            _parameter(each["name"], each["schema"], each["in"], each.get("required", False), each)
            for each in told.get("parameters", [])
        ),
        json.dumps(form["example"], indent=2, ensure_ascii=False) if "example" in form else "",
        kind_of(form.get("schema", {}))[1],
        tuple(_answers(told["responses"])),
    )


def _answers(responses: Mapping[str, Any]) -> Iterator[Answered]:
    for status, told in sorted(responses.items()):
        content = told.get("content") or {"": {}}
        for form, held in content.items():
            kind, schema, _ = kind_of(held.get("schema", {}))
            yield Answered(status, told.get("description", ""), form, kind, schema)


def _parameter(name: str, schema: Mapping[str, Any], place: str, required: bool, told: Mapping[str, Any]) -> Parameter:
    kind, named, choices = kind_of(schema)
    words = told.get("description") or schema.get("description", "")
    return Parameter(name, place, required, kind, named, choices, words, str(told.get("example", "")))


def _shape(name: str, schema: Mapping[str, Any]) -> Shape:
    required = schema.get("required", ())
    fields = schema.get("properties", {}).items()
    told = tuple(_parameter(field, held, "", field in required, held) for field, held in fields)
    return Shape(name, schema.get("description", ""), told)


def kind_of(schema: Mapping[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    """What a value is in words, the name of its schema if it has one, and the values that it may have."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REF)
        return name, name, ()
    several = schema.get("oneOf") or schema.get("anyOf")
    if several:
        parts = [kind_of(each) for each in several]
        named = next((name for _, name, _ in parts if name), "")
        return " | ".join(kind for kind, _, _ in parts), named, tuple(each for part in parts for each in part[2])
    kind = schema.get("type", "any")
    kind = " | ".join(kind) if isinstance(kind, list) else str(kind)
    if kind == "array":
        inner, named, choices = kind_of(schema.get("items", {}))
        return f"[{inner}]", named, choices
    if "enum" in schema:
        return kind, "", tuple(map(str, schema["enum"]))
    return schema.get("format") or kind, "", ()
