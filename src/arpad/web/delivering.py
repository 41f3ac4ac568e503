"""Sends what webhooks are to be told: signed, one attempt at a time, and never into the server's own network.

    Arpad-Signature: t=1764500000,v1=5257a869e7…

`v1` is HMAC-SHA256 with the hook's secret over `t`, a dot and the body, in hexadecimal. A receiver computes the same,
compares it in constant time, and refuses a `t` that is more than some minutes old.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import logging
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import httpx

from arpad.errors import ArpadError, UsageError
from arpad.web import hooks
from arpad.web.hooks import Sending
from arpad.web.window import Window

logger = logging.getLogger(__name__)

#: Seconds between two looks at the log, and for each half of an attempt, to find a host and to tell it: arpad's own.
PACE, PATIENCE = 1.0, 10.0
HOST = re.compile(rb"[A-Za-z0-9._:-]+")
#: All that is given out of IPv6 for the Internet (RFC 4291, 2.4); what lies outside is somebody's own, or nobody's.
UNICAST = ipaddress.ip_network("2000::/3")
USER_AGENT = "arpad-webhooks/1"


class Refused(ArpadError):
    """An address that nothing is sent to."""


def signature(secret: str, body: bytes, moment: int) -> str:
    """The header by which a receiver knows that it is us; `moment` is in seconds since 1970."""
    digest = hmac.new(secret.encode(), b"%d." % moment + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def sound_url(text: str, allow_private: bool) -> str:
    """An address that can be told. Raises UsageError for another one; whom it belongs to is looked at when sending."""
    try:
        url = httpx.URL(text)
        url.raw_host.decode("ascii").encode("idna")  # as it is looked up
    except (httpx.InvalidURL, TypeError, ValueError):
        raise UsageError("url: this is no address") from None
    if url.scheme not in ("https", *(("http",) if allow_private else ())) or not HOST.fullmatch(url.raw_host):
        raise UsageError("url: an address begins with https:// and names a host")
    if url.userinfo or url.fragment:
        raise UsageError("url: an address with a password or a fragment is not told")
    return str(url)


async def address_of(host: str, port: int, allow_private: bool) -> str:
    """Where a host is, looked up once: what is checked is what is then spoken to. Raises Refused for an address of the
    server's own network, OSError for a host that is not known."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    if not allow_private and not all(map(is_public, addresses)):
        raise Refused(f"{host} is in a network of its own: nothing is sent there")
    return str(addresses[0])


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is one of the Internet's; of one IPv6 address that stands for another, whether that is."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is not None:
            return is_public(inner)
        if address in ipaddress.ip_network("64:ff9b::/96"):
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if address not in UNICAST:
            return False
    return address.is_global and not address.is_multicast


async def send(client: httpx.AsyncClient, sending: Sending, allow_private: bool) -> tuple[int | None, str]:
    """One attempt: the status that was answered (None: nothing was), and what went wrong."""
    try:
        url = httpx.URL(sound_url(sending.url, allow_private))
        address = await asyncio.wait_for(
            address_of(url.host, url.port or {"http": 80, "https": 443}[url.scheme], allow_private), PATIENCE
        )
        body = sending.body.encode()
        headers = {
            "Host": url.netloc.decode("ascii"),
            "Content-Type": "application/json",
            "Arpad-Event": sending.event,
            "Arpad-Delivery": sending.id,
            "Arpad-Signature": signature(sending.secret, body, int(datetime.now(UTC).timestamp())),
        }
        request = client.build_request("POST", url.copy_with(host=address), content=body, headers=headers)
        request.extensions["sni_hostname"] = url.host
        answer = await asyncio.wait_for(client.send(request, stream=True), PATIENCE)
        await answer.aclose()  # nobody reads what it says
    except (httpx.HTTPError, ArpadError, OSError, TimeoutError) as error:
        return None, f"{type(error).__name__}: {error}"
    return answer.status_code, "" if answer.is_success else f"answered {answer.status_code}"


async def deliver(window: Window, client: httpx.AsyncClient, allow_private: bool, now: datetime | None = None) -> int:
    """Everything whose time has come, once; how many that was."""
    taken = await window.ask("public", hooks.due, now or datetime.now(UTC))

    async def one(sending: Sending) -> None:
        status, error = await send(client, sending, allow_private)
        await window.ask("public", hooks.answered, sending.id, now or datetime.now(UTC), status, error)

    await asyncio.gather(*(one(each) for each in taken))
    return len(taken)


@asynccontextmanager
async def delivering(window: Window, allow_private: bool) -> AsyncIterator[None]:
    """In the background, as long as the server runs: at once what was left when it was stopped."""

    async def always() -> None:
        async with client_of() as client:
            while True:
                try:
                    again = await deliver(window, client, allow_private)
                except ArpadError as error:  # the database is busy, or away: later
                    logger.warning("webhooks: %s", error)
                    again = 0
                except Exception:
                    logger.exception("webhooks")
                    again = 0
                if not again:
                    await asyncio.sleep(PACE)

    task = asyncio.create_task(always())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def client_of() -> httpx.AsyncClient:
    """What requests are made with: no redirect is followed, no proxy of the environment asked, nothing kept."""
    return httpx.AsyncClient(
        timeout=PATIENCE,
        follow_redirects=False,
        trust_env=False,
        headers={"User-Agent": USER_AGENT},
        limits=httpx.Limits(max_connections=20, max_keepalive_connections=0),
    )
