"""Requests, their errors, and their retries."""

from __future__ import annotations

import base64
import email.utils
import http.client
import json
import os
import random
import re
import socket
import time
import typing as t
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass, field, replace
from datetime import datetime

from .errors import SendwrightError

KEY_HEADER = "idempotency-key"
FIRST_DELAY_SECONDS = 0.5
DELAY_MAX_SECONDS = 8.0
CHUNK_BYTES = 65_536
VERSION = "0.1.0"
#: The characters of a header's name (RFC 9110 section 5.6.2).
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
#: The path of the only field that may be bytes: a file of an email, or of an email of a batch.
_FILE_PATH = re.compile(r"(?:\d+\.)?attachments\.\d+\.content")


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
    #: The key of a send, which the transport chooses if it is blank; None for other requests.
    idempotency_key: t.Optional[str] = None
    headers: t.Mapping[str, str] = field(default_factory=dict)
    #: Whether a request may run twice, so that it is repeated after a lost response.
    is_repeatable: bool = True
    #: How long the server may wait before it responds, in seconds, in addition to the timeout.
    wait: float = 0.0


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would turn a POST into a GET."""

    def redirect_request(self, *_: t.Any, **__: t.Any) -> None:
        return None


class Response:
    """A successful response, whose body has not been read yet."""

    def __init__(self, raw: http.client.HTTPResponse, key: t.Optional[str], timeout: float) -> None:
        self._raw = raw
        #: The key of the request.
        self.key = key
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
            raise explain_failure(cause, self.key, self._timeout) from cause
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
        request = self._with_key(request)
        timeout = self.options.timeout + request.wait
        file = None if request.body is None or isinstance(request.body, bytes) else request.body
        start = 0 if file is None else file.tell()
        attempt = 0
        while True:
            try:
                return read(self.open(request, timeout))
            except SendwrightError as error:
                delay = _read_delay(error, request, attempt, self.options.retry_after_max)
                if delay is None or attempt >= self.options.retries:
                    raise
                if file is not None:
                    file.seek(start)
            time.sleep(delay)
            attempt += 1

    def _with_key(self, request: Request) -> Request:
        """
        Returns the request with the key of all its attempts: the given one, that of the headers of `with_options`, or a
        new one. A blank key counts as absent: the server would take the request for one without a key.
        """
        if request.idempotency_key is None:
            return request
        # A program can also give a number or None.
        shared = _merge(self.options.headers).get(KEY_HEADER)
        given = [request.idempotency_key, "" if shared is None else str(shared)]
        key = next((each for each in given if each.strip()), None) or str(uuid.uuid4())
        return replace(request, idempotency_key=key)

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
        defaults = {
            "authorization": f"Bearer {self.options.api_key}",
            "user-agent": f"sendwright-python/{VERSION}",
        }
        own: t.Dict[str, str] = {}
        if request.accept is not None:
            own["accept"] = request.accept
        if request.body is not None:
            own["content-type"] = request.content_type
            if not isinstance(request.body, bytes):
                # Without a length, Python would send the file in chunks.
                own["content-length"] = str(_size_of(request.body))
        if request.idempotency_key is not None:
            own[KEY_HEADER] = request.idempotency_key
        headers = _merge(defaults, self.options.headers, own, request.headers)
        for name, value in headers.items():
            _require_header(name, value)
        return headers


def _merge(*all_headers: t.Mapping[str, str]) -> t.Dict[str, str]:
    """Returns all headers by their lower-case names. Where several have the same name, the last one counts."""
    return {name.lower(): value for headers in all_headers for name, value in headers.items()}


def _require_header(name: str, value: str) -> None:
    """Raises SendwrightError for a header that Python cannot send, or would send as two."""
    # Python itself would send a line break that a space follows.
    if any(mark in f"{name}{value}" for mark in "\r\n\0"):
        raise SendwrightError("invalid_request", f"The header {name!r} has a line break or a NUL character.")
    if not _TOKEN.fullmatch(name) or any(ord(each) > 255 for each in str(value)):
        raise SendwrightError("invalid_request", f"The header {name!r} has a character that headers cannot have.")


def _size_of(file: t.BinaryIO) -> int:
    start = file.tell()
    size = file.seek(0, os.SEEK_END) - start
    file.seek(start)
    return size


def encode(body: t.Any) -> bytes:
    """Returns JSON. Files of emails that are bytes become Base64, and times ISO 8601. Raises SendwrightError."""
    try:
        return json.dumps(_encode_files(body), default=_encode_value, ensure_ascii=False).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as cause:
        raise SendwrightError("invalid_request", str(cause)) from cause


def _encode_files(value: t.Any, path: str = "") -> t.Any:
    """Returns the value with Base64 instead of bytes. Raises ValueError for bytes in any other field than a file."""
    if isinstance(value, dict):
        return {name: _encode_files(each, _join(path, name)) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_encode_files(each, _join(path, index)) for index, each in enumerate(value)]
    if not isinstance(value, (bytes, bytearray, memoryview)):
        return value
    if not _FILE_PATH.fullmatch(path):
        raise ValueError(f"The field {path} is bytes. Decode it: only the content of an attachment can be bytes.")
    return base64.b64encode(value).decode("ascii")


def _join(path: str, name: t.Any) -> str:
    return f"{path}.{name}" if path else str(name)


def _encode_value(value: t.Any) -> str:
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


def _read_delay(
    error: SendwrightError, request: Request, attempt: int, retry_after_max: float
) -> t.Optional[float]:
    """Returns how long to wait before the next attempt; None if there must be none."""
    retry_after = error.retry_after_seconds or 0.0
    if retry_after > retry_after_max or not _may_repeat(error, request):
        return None
    return max(backoff(attempt, DELAY_MAX_SECONDS), retry_after)


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
