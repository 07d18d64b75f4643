"""The client."""

from __future__ import annotations

import os
import typing as t
import urllib.parse

from ._transport import KEY_HEADER, Options, Transport
from .resources import Resources


class Sendwright(Resources):
    """
    A client of one Sendwright server. Calls return dictionaries with the fields of the API, and raise
    SendwrightError. A client may be used by several threads.
    """

    def __init__(
        self,
        api_key: t.Optional[str] = None,
        base_url: t.Optional[str] = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        retry_after_max: float = 60.0,
        headers: t.Optional[t.Mapping[str, str]] = None,
    ) -> None:
        """
        Without `api_key` and `base_url`, the client reads the environment variables `SENDWRIGHT_API_KEY` and
        `SENDWRIGHT_URL`. Times are seconds. Raises ValueError if the key or the URL is missing, or `headers` have an
        Idempotency-Key.

        :param timeout: how long an attempt may wait for the server
        :param retries: how often a call is repeated at most
        :param retry_after_max: the longest `Retry-After` that a call waits for
        :param headers: headers of every request
        """
        key = api_key or os.environ.get("SENDWRIGHT_API_KEY")
        url = base_url or os.environ.get("SENDWRIGHT_URL")
        if not key:
            raise ValueError("Pass api_key, or set SENDWRIGHT_API_KEY.")
        if not url:
            raise ValueError("Pass base_url, or set SENDWRIGHT_URL: the URL of your Sendwright server.")
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError("base_url must begin with http:// or https://.")
        if any(name.lower() == KEY_HEADER for name in headers or {}):
            raise ValueError(
                "An Idempotency-Key among the headers of a client would be the key of all its sends. "
                "Pass idempotency_key to each send instead."
            )
        options = Options(key, url, timeout, retries, retry_after_max, headers or {})
        self._use(Transport(options))

    def with_options(
        self,
        *,
        timeout: t.Optional[float] = None,
        retries: t.Optional[int] = None,
        retry_after_max: t.Optional[float] = None,
        headers: t.Optional[t.Mapping[str, str]] = None,
    ) -> Sendwright:
        """
        Returns a client with other options: `client.with_options(retries=0).emails.send(...)`.

        :param headers: instead of those of this client; may have the Idempotency-Key of one send
        """
        given = {"timeout": timeout, "retries": retries, "retry_after_max": retry_after_max, "headers": headers}
        changes = {name: value for name, value in given.items() if value is not None}
        other = Sendwright.__new__(Sendwright)
        other._use(self._transport.with_options(**changes))
        return other

    def _use(self, transport: Transport) -> None:
        self._transport = transport
        Resources.__init__(self, transport)
