"""For tests of applications: the messages that a server in capture mode stores."""

from __future__ import annotations

import re
import time
import typing as t

from . import types
from .client import Sendwright
from .errors import SendwrightError

#: A text must be equal, without regard to case; a pattern must match.
Condition = t.Union[None, str, "re.Pattern[str]"]

POLL_SECONDS = 0.1
PAGE_SIZE = 100


class Inbox:
    """The messages that a server in capture mode stored since a moment."""

    def __init__(self, client: Sendwright, start: t.Optional[str]) -> None:
        self._client = client
        # The newest message before the inbox was opened.
        self._start = start
        self._taken: t.Set[str] = set()

    def messages(
        self, *, to: Condition = None, from_: Condition = None, subject: Condition = None
    ) -> t.List[types.CapturedEmailSummary]:
        """Returns the messages since the inbox was opened, oldest first."""
        found: t.List[types.CapturedEmailSummary] = []
        for message in self._client.captured.list(limit=PAGE_SIZE):
            # Ids of version 7 sort by time.
            if self._start is not None and message["id"] <= self._start:
                break
            senders = [sender["address"] for sender in message["from"]]
            if (
                _fits(to, [message["envelope_to"]])
                and _fits(from_, senders)
                and _fits(subject, [message["subject"] or ""])
            ):
                found.insert(0, message)
        return found

    def wait_for(
        self,
        *,
        to: Condition = None,
        from_: Condition = None,
        subject: Condition = None,
        timeout: float = 10.0,
    ) -> types.CapturedEmail:
        """
        Returns the oldest matching message that no earlier call returned. Raises SendwrightError, `timeout`, if none
        arrives in time. The error lists the messages that did arrive.
        """
        until = time.monotonic() + timeout
        while True:
            for message in self.messages(to=to, from_=from_, subject=subject):
                if message["id"] not in self._taken:
                    self._taken.add(message["id"])
                    return self._client.captured.get(message["id"])
            if time.monotonic() >= until:
                raise self._explain_timeout({"to": to, "from": from_, "subject": subject}, timeout)
            time.sleep(POLL_SECONDS)

    def _explain_timeout(self, wanted: t.Dict[str, Condition], timeout: float) -> SendwrightError:
        arrived = [f'{each["envelope_to"]} "{each["subject"] or ""}"' for each in self.messages()]
        asked = [f"{name} {value}" for name, value in wanted.items() if value is not None]
        came = f"These arrived: {', '.join(arrived)}." if arrived else "Nothing arrived."
        message = f"No message with {', '.join(asked) or 'any content'} arrived within {timeout:g} seconds. {came}"
        return SendwrightError("timeout", message)


def _fits(wanted: Condition, values: t.Sequence[str]) -> bool:
    if wanted is None:
        return True
    if isinstance(wanted, str):
        return any(value.lower() == wanted.lower() for value in values)
    return any(wanted.search(value) for value in values)


def open_inbox(client: Sendwright) -> Inbox:
    """Returns an inbox of the messages that the server stores from now on. Raises SendwrightError."""
    newest = client.captured.list(limit=1).page()["data"]
    return Inbox(client, newest[0]["id"] if newest else None)
