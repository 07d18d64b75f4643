"""The error of a call."""

from __future__ import annotations

import typing as t


class SendwrightError(Exception):
    """
    The error of a call. `name` is a name of the API, such as `validation_error`, or one of this package:
    `network_error`, `timeout`, `invalid_response`, `invalid_request`, `invalid_signature`.
    """

    name: str
    message: str
    #: The status of the response; None if there was none.
    status_code: t.Optional[int]
    #: The messages for each field of the request, by its dotted path.
    errors: t.Mapping[str, t.List[str]]
    #: The `x-request-id` of the response, which the server's logs have too.
    request_id: t.Optional[str]
    #: The seconds after which the server accepts another request.
    retry_after_seconds: t.Optional[float]
    #: The key of a send. Send the same email with it again, and it is delivered at most once.
    idempotency_key: t.Optional[str]

    def __init__(
        self,
        name: str,
        message: str,
        *,
        status_code: t.Optional[int] = None,
        errors: t.Optional[t.Mapping[str, t.List[str]]] = None,
        request_id: t.Optional[str] = None,
        retry_after_seconds: t.Optional[float] = None,
        idempotency_key: t.Optional[str] = None,
    ) -> None:
        # The arguments with which `pickle` and `copy` create the error again; they restore the other fields themselves.
        super().__init__(name, message)
        self.name = name
        self.message = message
        self.status_code = status_code
        self.errors = errors or {}
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.idempotency_key = idempotency_key

    def __str__(self) -> str:
        return f"{self.message} ({self.name})"
