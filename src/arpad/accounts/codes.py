"""The second factor of those who work for the office: codes of six digits that an app makes from a key and the time.

RFC 6238 with its usual parameters (SHA-1, 30 seconds), which every such app knows. A code is taken once, as much as a
step before or after its time. Unlike other secrets the key itself has to be kept.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from hashlib import sha1
from urllib.parse import quote, urlencode

from arpad.accounts import at_least, clock
from arpad.accounts.book import account
from arpad.bureau.opened import Office
from arpad.errors import UsageError

#: Seconds of a step, and digits of a code.
STEP, DIGITS = 30, 6
#: The step kept with a key that was shown and not yet confirmed by a code.
UNCONFIRMED = -1


def code(key: bytes, step: int, digits: int = DIGITS) -> str:
    """The code of a step (RFC 4226, section 5.3)."""
    made = hmac.new(key, step.to_bytes(8, "big"), sha1).digest()
    at = made[-1] & 15
    return f"{(int.from_bytes(made[at : at + 4], 'big') & 0x7FFFFFFF) % 10**digits:0{digits}}"


def address(key: str, name: str, title: str) -> str:
    """What apps read a key from."""
    asked = urlencode({"secret": key, "issuer": title}, quote_via=quote)
    return f"otpauth://totp/{quote(title, safe='')}:{quote(name, safe='')}?{asked}"


def begin(office: Office, number: int) -> str:
    """A new key for an account, in base 32; it counts once a code confirmed it. Raises UsageError where there is one
    already, and for whom it is not."""
    key = base64.b32encode(secrets.token_bytes(20)).decode()
    with office.store.writing():
        if not at_least(account(office, number).role, "officer"):
            raise UsageError("a second factor is for those who work at the desk")
        if asks(office, number):
            raise UsageError("there is a second factor already; end it first")
        office.store.run("update account set key = ?, step = ? where id = ?", (key, UNCONFIRMED, number))
    return key


def confirm(office: Office, number: int, given: str) -> bool:
    """Whether a code shows that the app has the key; from then on signing in asks for one."""
    return _taken(office, number, given)


def fits(office: Office, number: int, given: str) -> bool:
    """Whether an account asks for no code, or this is one that was not used yet."""
    return not asks(office, number) or _taken(office, number, given)


def end(office: Office, number: int) -> None:
    """No code is asked for any more."""
    office.store.run("update account set key = '', step = ? where id = ?", (UNCONFIRMED, number))


def asks(office: Office, number: int) -> bool:
    """Whether signing in asks an account for a code."""
    return bool(office.store.value("select key <> '' and step >= 0 from account where id = ?", (number,)))


def _taken(office: Office, number: int, given: str) -> bool:
    with office.store.writing():
        held = office.store.row("select key, step from account where id = ?", (number,))
        if held is None or not held[0]:
            return False
        key, last = base64.b32decode(held[0]), held[1]
        now = int(clock.now().timestamp()) // STEP
        typed = "".join(given.split())
        for step in range(max(now - 1, last + 1), now + 2):
            if hmac.compare_digest(code(key, step).encode(), typed.encode()):
                office.store.run("update account set step = ? where id = ?", (step, number))
                return True
    return False
