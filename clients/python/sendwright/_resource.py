"""What all resources have in common."""

from __future__ import annotations

import json
import re
import typing as t
import urllib.parse

from ._transport import Request, Response, Transport, encode, write_query
from .errors import SendwrightError

P = t.TypeVar("P", bound=t.Mapping[str, t.Any])
I = t.TypeVar("I")  # noqa: E741

#: The content of a CSV file, or an open file.
Csv = t.Union[str, bytes, t.IO[bytes], t.IO[str]]
Query = t.Mapping[str, t.Any]


class ListCall(t.Generic[P, I]):
    """
    A list. A loop over it reads every record of all pages; `page()` reads the first page. Nothing is requested before
    one of them.
    """

    def __init__(self, read: t.Callable[[Query], P], query: Query) -> None:
        self._read = read
        self._query = query

    def page(self) -> P:
        """Returns the first page. Raises SendwrightError."""
        return self._read(self._query)

    def pages(self) -> t.Iterator[P]:
        """Reads page by page. Raises SendwrightError if one fails."""
        query: t.Optional[Query] = self._query
        while query is not None:
            page = self._read(query)
            yield page
            query = _next_query(query, page)

    def __iter__(self) -> t.Iterator[I]:
        for page in self.pages():
            yield from page["data"]


def _next_query(query: Query, page: t.Mapping[str, t.Any]) -> t.Optional[Query]:
    """
    Returns the query of the next page; None after the last one. It continues by record id: with page numbers, records
    that are added meanwhile would shift the pages.
    """
    if not page.get("has_more"):
        return None
    filters = {name: value for name, value in query.items() if name != "page"}
    if page.get("next_cursor") is not None:
        # On the event feed, `from` is where to start; elsewhere, it is a filter.
        filters.pop("from", None)
        return {**filters, "after": page["next_cursor"]}
    is_backward = query.get("before") is not None
    field, link, index = ("before", "prev", 0) if is_backward else ("after", "next", -1)
    # A page can be short or empty where a scan stopped. Then only the link knows where to continue.
    url = (page.get("links") or {}).get(link) or ""
    linked = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query).get(field)
    record = page["data"][index] if page["data"] else {}
    # A site has no id. Its name identifies it.
    position = linked[0] if linked else record.get("id") or record.get("name")
    return None if position is None else {**filters, field: position}


class Download:
    """A response that may be larger than memory: read it in parts, or as a whole."""

    def __init__(self, response: Response) -> None:
        self._response = response

    def __iter__(self) -> t.Iterator[bytes]:
        return self._response.chunks()

    def read(self) -> bytes:
        """Returns the whole content. Raises SendwrightError."""
        return b"".join(self)

    def close(self) -> None:
        """Closes the connection, if the content is not wanted any more."""
        self._response.close()

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Resource:
    """The base of all resources."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _call(self, method: str, path: str, **given: t.Any) -> t.Any:
        return self._transport.request(_to_request(method, path, **given), _read_json)

    def _list(self, path: str, ids: t.Sequence[t.Any] = (), query: Query = {}) -> ListCall[t.Any, t.Any]:
        return ListCall(lambda given: self._call("GET", path, ids=ids, query=given), query)

    def _bytes(self, path: str, **given: t.Any) -> bytes:
        content: bytes = self._transport.request(_to_request("GET", path, **given), Response.read)
        return content

    def _download(self, path: str, **given: t.Any) -> Download:
        """Starts a download. The time limit covers only the waits for the server."""
        return Download(self._transport.request(_to_request("GET", path, **given), lambda response: response))


def _read_json(response: Response) -> t.Any:
    try:
        return json.loads(response.read())
    except ValueError as cause:
        message = "The response is not JSON. Is base_url the URL of a Sendwright server?"
        raise SendwrightError("invalid_response", message, idempotency_key=response.key) from cause


def _to_request(
    method: str,
    path: str,
    *,
    ids: t.Sequence[t.Any] = (),
    query: Query = {},
    body: t.Any = None,
    csv: t.Optional[Csv] = None,
    key: t.Optional[str] = None,
    headers: t.Mapping[str, t.Optional[str]] = {},
    is_keyed: bool = False,
    is_safe: bool = False,
) -> Request:
    content = None if body is None else encode(body)
    wait = query.get("wait")
    return Request(
        method,
        _fill_path(path, ids) + write_query(query),
        body=content if csv is None else _read_csv(csv),
        content_type="application/json" if csv is None else "text/csv",
        idempotency_key=("" if key is None else str(key)) if is_keyed else None,
        headers={name: value for name, value in headers.items() if value is not None},
        # The second DELETE of a record does not find it: the client would report a success as an error.
        is_repeatable=method not in ("POST", "DELETE") or is_safe or is_keyed,
        # Only the event feed has `wait`.
        wait=wait if isinstance(wait, (int, float)) else 0.0,
    )


def _read_csv(csv: Csv) -> t.Union[bytes, t.BinaryIO]:
    """
    Returns the content, or a file of bytes that can be sent twice. Reads any other to its end: a pipe cannot be sent
    twice, and the size of a text is known only in UTF-8.
    """
    if isinstance(csv, str):
        return csv.encode("utf-8")
    if isinstance(csv, (bytes, bytearray, memoryview)):
        return bytes(csv)
    is_seekable = getattr(csv, "seekable", None)
    # Reading nothing shows whether a file returns bytes or text.
    if is_seekable is not None and is_seekable() and isinstance(csv.read(0), bytes):
        return t.cast(t.BinaryIO, csv)
    content = csv.read()
    return content.encode("utf-8") if isinstance(content, str) else content


def _fill_path(path: str, ids: t.Sequence[t.Any]) -> str:
    values = iter(ids)

    def fill(_: t.Match[str]) -> str:
        value = str(next(values))
        # `/emails/` and `/emails/..` would be other routes.
        if value in ("", ".", ".."):
            raise SendwrightError("invalid_request", f'The id "{value}" is not valid.')
        return urllib.parse.quote(value, safe="")

    return re.sub(r"\{\w+\}", fill, path)
