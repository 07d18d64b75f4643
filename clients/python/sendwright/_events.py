"""The event stream."""

from __future__ import annotations

import json
import time
import typing as t

from . import types
from ._resource import Resource
from ._transport import Request, Response, Transport, backoff, write_query
from .errors import SendwrightError

#: The server sends a heartbeat every 15 seconds. A connection that is silent for longer is dead.
SILENCE_MAX_SECONDS = 45.0
DELAY_MAX_SECONDS = 30.0


class EventStream:
    """
    A stream of events, for one loop. It reconnects after lost connections, outages and rate limits, each time after
    its cursor. It raises SendwrightError only if the request is invalid, or the server rejects it: an invalid key,
    cursor or filter.
    """

    def __init__(
        self, transport: Transport, query: t.Mapping[str, t.Any], after: t.Optional[str], start: str
    ) -> None:
        self._transport = transport
        self._query = query
        self._start = start
        self._cursor = after
        # The connections since the last event or heartbeat.
        self._failures = 0
        self._is_closed = False
        self._response: t.Optional[Response] = None

    @property
    def cursor(self) -> t.Optional[str]:
        """
        The position after the last event that the loop received, at first that of the start; None until the stream is
        open. Store it after you have processed an event, and pass it as `after` to continue there.
        """
        return self._cursor

    def close(self) -> None:
        """Ends the stream at its next event or heartbeat, also from another thread."""
        self._is_closed = True

    def __iter__(self) -> t.Iterator[t.Any]:
        while not self._is_closed:
            wait = 0.0
            try:
                yield from self._read_connection()
            except SendwrightError as error:
                if _is_final(error):
                    raise
                wait = error.retry_after_seconds or 0.0
            if self._is_closed:
                return
            time.sleep(max(wait, backoff(self._failures, DELAY_MAX_SECONDS)))
            self._failures += 1

    def _read_connection(self) -> t.Iterator[t.Any]:
        """Opens one connection and reads it until it breaks."""
        response = self._transport.open(self._request(), SILENCE_MAX_SECONDS)
        try:
            for frame in _read_frames(response):
                self._failures = 0
                if self._is_closed:
                    return
                if "id" in frame:
                    self._cursor = frame["id"]
                if "data" in frame:
                    yield json.loads(frame["data"])
        finally:
            response.close()

    def _request(self) -> Request:
        if self._cursor is None:
            query, headers = {**self._query, "from": self._start}, {}
        else:
            query, headers = {**self._query}, {"last-event-id": self._cursor}
        path = "/events" + write_query(query)
        return Request("GET", path, accept="text/event-stream", headers=headers)


def _is_final(error: SendwrightError) -> bool:
    """Whether another attempt would fail in the same way."""
    status = error.status_code
    if status is None:
        return error.name == "invalid_request"
    return status < 500 and status != 429


def _read_frames(response: Response) -> t.Iterator[t.Dict[str, str]]:
    """Reads Server-Sent Events (WHATWG HTML, section 9.2), as far as Sendwright uses them: one line for each field."""
    text = b""
    for part in response.chunks():
        *frames, text = (text + part).split(b"\n\n")
        for frame in frames:
            lines = (line.partition(": ") for line in frame.decode("utf-8").split("\n"))
            yield {name: value for name, _, value in lines if name in ("id", "data")}


class EventMethods(Resource):
    """Methods that the API's document does not describe."""

    def stream(
        self,
        *,
        types: t.Optional[t.Sequence[types.EventType]] = None,
        email_id: t.Optional[str] = None,
        subject_id: t.Optional[str] = None,
        after: t.Optional[str] = None,
        from_: t.Literal["start", "end"] = "end",
    ) -> EventStream:
        """
        Streams events as they happen, and reconnects where a connection broke: no event is missed, and none appears
        twice. Without `after`, it begins with the next event, or with the oldest one (`from_="start"`).
        """
        filters = {
            "types": None if types is None else ",".join(types),
            "email_id": email_id,
            "subject_id": subject_id,
        }
        return EventStream(self._transport, filters, after, from_)
