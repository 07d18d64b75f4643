"""Requests, their errors, and their retries."""

from __future__ import annotations

import base64
import email.utils
import http.client
import json
import os
import random
import socket
import time
import typing as t
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field, replace
from datetime import datetime

from .errors import SendwrightError

FIRST_DELAY_SECONDS = 0.5
DELAY_MAX_SECONDS = 8.0
CHUNK_BYTES = 65_536
VERSION = "0.1.0"


@dataclass(frozen=True)
class Options:
    """Options of a client."""

    api_key: str
    base_url: str
    #: How long an attempt may wait for the server.
    timeout: float = 30.0
    #: How often a call is repeated at most.
    retries: int = 3
    #: The longest `Retry-After` that a call waits for. Beyond it, the call raises the error.
    retry_after_max: float = 60.0
    #: Headers of every request.
    headers: t.Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Options(base_url={self.base_url!r})"


@dataclass(frozen=True)
class Request:
    """A request of the API."""

    method: str
    #: The path with its query, from the first slash.
    path: str
    #: JSON, CSV, or a file with CSV.
    body: t.Union[None, bytes, t.BinaryIO] = None
    content_type: str = "application/json"
    accept: t.Optional[str] = None
    #: The key of a send; None for other requests.
    idempotency_key: t.Optional[str] = None
    headers: t.Mapping[str, str] = field(default_factory=dict)
    #: Whether a request may run twice, so that it is repeated after a lost response.
    is_repeatable: bool = True


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would turn a POST into a GET."""

    def redirect_request(self, *_: t.Any, **__: t.Any) -> None:
        return None


class Response:
    """A successful response, whose body has not been read yet."""

    def __init__(self, raw: http.client.HTTPResponse, key: t.Optional[str], timeout: float) -> None:
        self._raw = raw
        self._key = key
        self._timeout = timeout
        self.headers = raw.headers

    def read(self) -> bytes:
        """Returns the whole body. Raises SendwrightError."""
        return b"".join(self.chunks(deadline=time.monotonic() + self._timeout))

    def chunks(self, deadline: t.Optional[float] = None) -> t.Iterator[bytes]:
        """Reads the body in parts, as they arrive. Raises SendwrightError."""
        try:
            while True:
                part = self._raw.read1(CHUNK_BYTES)
                if part == b"":
                    break
                yield part
                if deadline is not None and time.monotonic() > deadline:
                    raise socket.timeout()
            # `read1` does not report a body that ended early.
            if self._raw.length:
                raise http.client.IncompleteRead(b"", self._raw.length)
        except (OSError, http.client.HTTPException) as cause:
            raise explain_failure(cause, self._key, self._timeout) from cause
        finally:
            self._raw.close()

    def close(self) -> None:
        """Closes the connection."""
        self._raw.close()


class Transport:
    """Makes requests with the options of a client."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._root = options.base_url.rstrip("/")
        self._opener = urllib.request.build_opener(_NoRedirect())

    def with_options(self, **changes: t.Any) -> Transport:
        """Returns a transport with other options."""
        return Transport(replace(self.options, **changes))

    def request(self, request: Request, read: t.Callable[[Response], t.Any]) -> t.Any:
        """Returns what `read` makes of the response. Raises SendwrightError."""
        attempt = 0
        while True:
            try:
                return read(self.open(request, self.options.timeout))
            except SendwrightError as error:
                delay = _read_delay(error, request, attempt)
                patience = self.options.retry_after_max
                if delay is None or attempt >= self.options.retries or delay > patience:
                    raise
                rewind(request)
            time.sleep(delay)
            attempt += 1

    def open(self, request: Request, timeout: float) -> Response:
        """Makes one attempt. Raises SendwrightError unless the response is a success."""
        outgoing = urllib.request.Request(
            self._root + request.path,
            data=request.body,
            method=request.method,
            headers=self._headers(request),
        )
        try:
            raw = self._opener.open(outgoing, timeout=timeout)
        except urllib.error.HTTPError as error:
            raise read_error(error, request.idempotency_key) from None
        except (OSError, http.client.HTTPException) as cause:
            raise explain_failure(cause, request.idempotency_key, timeout) from cause
        return Response(raw, request.idempotency_key, timeout)

    def _headers(self, request: Request) -> t.Dict[str, str]:
        headers = {
            "authorization": f"Bearer {self.options.api_key}",
            "user-agent": f"sendwright-python/{VERSION}",
            **self.options.headers,
        }
        if request.accept is not None:
            headers["accept"] = request.accept
        if request.body is not None:
            headers["content-type"] = request.content_type
            if not isinstance(request.body, bytes):
                # Without a length, Python would send the file in chunks.
                headers["content-length"] = str(_size_of(request.body))
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        headers = {**headers, **request.headers}
        for name, value in headers.items():
            # Python itself would send a line break that a space follows.
            if any(mark in f"{name}{value}" for mark in "\r\n\0"):
                message = f"The header {name!r} has a line break or a NUL character."
                raise SendwrightError("invalid_request", message)
        return headers


def _size_of(file: t.BinaryIO) -> int:
    start = file.tell()
    size = file.seek(0, os.SEEK_END) - start
    file.seek(start)
    return size


def rewind(request: Request) -> None:
    """Prepares the file of a request for another attempt."""
    if request.body is not None and not isinstance(request.body, bytes):
        request.body.seek(0)


def encode(body: t.Any) -> bytes:
    """Returns JSON. Bytes become Base64, and times ISO 8601. Raises SendwrightError."""
    try:
        return json.dumps(body, default=_encode_value, ensure_ascii=False).encode("utf-8")
    except (TypeError, ValueError) as cause:
        raise SendwrightError("invalid_request", str(cause)) from cause


def _encode_value(value: t.Any) -> str:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("A datetime needs a time zone: datetime.now(timezone.utc).")
        return value.isoformat()
    raise TypeError(f"JSON has no {type(value).__name__}.")


def explain_failure(
    cause: BaseException, key: t.Optional[str], timeout: float
) -> SendwrightError:
    """Returns the error of an attempt without a complete response."""
    reason = cause.reason if isinstance(cause, urllib.error.URLError) else cause
    if isinstance(reason, (socket.timeout, TimeoutError)):
        message = f"The server did not respond within {timeout:g} seconds."
        return SendwrightError("timeout", message, idempotency_key=key)
    message = f"The request failed: {reason}"
    return SendwrightError("network_error", message, idempotency_key=key)


def read_error(response: urllib.error.HTTPError, key: t.Optional[str]) -> SendwrightError:
    """Returns the error of a response that is not a success."""
    try:
        body = json.loads(response.read())
    except (ValueError, OSError, http.client.HTTPException):
        body = None
    finally:
        response.close()
    fields = body if isinstance(body, dict) else {}
    is_ours = isinstance(fields.get("name"), str) and isinstance(fields.get("message"), str)
    return SendwrightError(
        fields["name"] if is_ours else "invalid_response",
        fields["message"] if is_ours else f"The server responded with status {response.code}.",
        status_code=response.code,
        errors=fields.get("errors"),
        request_id=response.headers.get("x-request-id"),
        retry_after_seconds=_read_retry_after(response.headers.get("retry-after")),
        idempotency_key=key,
    )


def _read_retry_after(value: t.Optional[str]) -> t.Optional[float]:
    """Reads seconds or an HTTP date (RFC 9110 section 10.2.3)."""
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _read_delay(error: SendwrightError, request: Request, attempt: int) -> t.Optional[float]:
    """Returns how long to wait before the next attempt; None if there must be none."""
    if not _may_repeat(error, request):
        return None
    return max(backoff(attempt, DELAY_MAX_SECONDS), error.retry_after_seconds or 0.0)


def backoff(attempt: int, delay_max: float) -> float:
    """Half of the delay is random, so that clients that failed together do not return together."""
    delay = min(delay_max, FIRST_DELAY_SECONDS * 2.0 ** min(attempt, 16))
    return delay * (0.5 + random.random() / 2)


def _may_repeat(error: SendwrightError, request: Request) -> bool:
    """
    With 429 and 503, Sendwright has accepted nothing, or knows the request by its key. After any other failure the
    request may have been processed, and only one that may run twice is repeated.
    """
    if error.status_code == 429 or error.name == "service_unavailable":
        return True
    # The previous attempt of this call is still being processed.
    if error.name == "concurrent_idempotent_requests":
        return True
    if error.status_code is None:
        return request.is_repeatable and error.name in ("network_error", "timeout")
    return request.is_repeatable and error.status_code >= 500


def write_query(query: t.Mapping[str, t.Any]) -> str:
    """Returns the query with its question mark; without parameters that are None."""
    pairs: t.List[t.Tuple[str, str]] = []
    for name, value in query.items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is not None:
                pairs.append((name, _to_text(each)))
    return "?" + urllib.parse.urlencode(pairs) if pairs else ""


def _to_text(value: t.Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _encode_value(value) if isinstance(value, datetime) else str(value)
