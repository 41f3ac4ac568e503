"""`arpad account`: who may sign in to an office's pages, and as what."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click
import msgspec

from arpad.cli import options
from arpad.cli.desk import opened
from arpad.cli.output import json_of, put, rows, text
from arpad.cli.talk import say
from arpad.errors import UsageError

if TYPE_CHECKING:
    from arpad.accounts import Role
    from arpad.bureau.opened import Office

name = click.argument("name", metavar="NAME")
roles = click.Choice(["member", "reporter", "officer", "admin"])
#: Whoever is at the office's database is above its accounts.
BY: Role = "admin"


def office_of(place: str) -> Office:
    if find_spec("argon2") is None:
        raise UsageError("accounts need argon2-cffi: pip install 'arpad[web]'")
    return opened(place, BY)


@click.group()
def account() -> None:
    """Accounts of the web: who may sign in, and as what. Nothing of them is in the log of the office.

    \b
    Examples:
        arpad account add anna --role admin --office club.db
        arpad account list --office club.db
        arpad account role anna officer --office club.db
    """


@account.command()
@name
@click.option("--role", type=roles, required=True, help="Each may do what those before may.")
@click.option("--person", type=int, metavar="NUMBER", help="Who they are in the register.")
@click.option("--ask-password", is_flag=True, help="Ask for the password here; without, an invite sets it.")
@click.option("--password-stdin", is_flag=True, help="Read the password from the first line of stdin.")
@options.place
def add(name: str, role: Role, person: int | None, ask_password: bool, password_stdin: bool, place: str) -> int:
    """Make an account. Prints the path of its invite: the page where whoever gets it sets the password, once.

    \b
    Examples:
        arpad account add anna --role admin --office club.db
        arpad account add bruno --role member --person 17 --office club.db
    """
    from arpad.accounts import book, invites, passwords

    if ask_password and password_stdin:
        raise click.UsageError("--ask-password and --password-stdin exclude each other")
    with office_of(place) as office:
        password = ""
        if ask_password:
            password = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        if password_stdin:
            password = sys.stdin.readline().rstrip("\r\n")
        with office.store.writing():
            made = book.add(office, name, role, person, by=BY)
            if ask_password or password_stdin:
                passwords.set_password(office, made.id, password)
                say(f"account {made.name!r} of the role {role!r} can sign in")
                return 0
            secret = invites.invite(office, made.id, by=BY)
    _told(secret)
    return 0


@account.command("list")
@options.place
@options.form("table", "csv", "json")
def list_(place: str, form: str) -> int:
    """Every account.

    \b
    Examples:
        arpad account list --office club.db
    """
    from arpad.accounts import book

    with office_of(place) as office:
        found = [msgspec.structs.asdict(each) for each in book.accounts(office)]
    if form == "json":
        put(lambda file: file.write(json_of(found)))
    else:
        rows("accounts", found, form)
    return 0


@account.command()
@name
@click.argument("role", type=roles)
@options.place
def role(name: str, role: Role, place: str) -> int:
    """Give an account another role; it is signed out everywhere.

    \b
    Examples:
        arpad account role anna officer --office club.db
    """
    from arpad.accounts import book

    with office_of(place) as office:
        changed = book.change_role(office, book.called(office, name).id, role, by=BY)
    say(f"account {changed.name!r} has the role {role!r}")
    return 0


@account.command()
@name
@click.option("--undo", is_flag=True, help="Enable it again.")
@options.place
def disable(name: str, undo: bool, place: str) -> int:
    """Disable an account: it is signed out everywhere, and its tokens are not good any more.

    \b
    Examples:
        arpad account disable bruno --office club.db
        arpad account disable bruno --undo --office club.db
    """
    from arpad.accounts import book

    with office_of(place) as office:
        changed = book.disable(office, book.called(office, name).id, not undo, by=BY)
    say(f"account {changed.name!r} is {'disabled' if changed.disabled else 'enabled'}")
    return 0


@account.command()
@name
@click.option("--without-code", is_flag=True, help="Its app was lost: signing in asks for no code any more.")
@options.place
def invite(name: str, without_code: bool, place: str) -> int:
    """A new invite for an account, where its password was forgotten. Prints its path.

    \b
    Examples:
        arpad account invite bruno --office club.db
    """
    from arpad.accounts import book, codes, invites

    with office_of(place) as office, office.store.writing():
        number = book.called(office, name).id
        secret = invites.invite(office, number, by=BY)
        if without_code:
            codes.end(office, number)
    _told(secret)
    return 0


def _told(secret: str) -> None:
    say("this path of the site sets the password, once, within seven days; it is shown only now", "note")
    text([f"/en/invites/{secret}"])
