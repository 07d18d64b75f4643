"""Signatures of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
import typing as t

from . import types
from ._resource import Resource
from .errors import SendwrightError

TOLERANCE_SECONDS = 300


def verify_webhook(
    payload: t.Union[str, bytes],
    headers: t.Mapping[str, t.Any],
    secret: str,
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
) -> types.WebhookEvent:
    """
    Verifies the signature of a webhook (Standard Webhooks 1.0) and returns its event. Pass the body exactly as it
    arrived. Raises SendwrightError, `invalid_signature`. Needs no client.
    """
    given = {str(name).lower(): str(value) for name, value in headers.items()}
    names = ("id", "timestamp", "signature")
    parts = [given.get(f"webhook-{name}") or given.get(f"svix-{name}") for name in names]
    if not all(parts):
        raise _invalid("The request has no webhook signature.")
    message_id, timestamp, signatures = (str(part) for part in parts)
    if not _is_recent(timestamp, tolerance_seconds):
        raise _invalid("The timestamp is too old or in the future.")
    body = payload.encode("utf-8") if isinstance(payload, str) else payload
    signed = f"{message_id}.{timestamp}.".encode("utf-8") + body
    expected = hmac.new(_read_secret(secret), signed, hashlib.sha256).digest()
    if not any([_is_signature(each, expected) for each in signatures.split(" ")]):
        raise _invalid("The signature does not match this request and secret.")
    event: types.WebhookEvent = json.loads(body)
    return event


def _is_recent(timestamp: str, tolerance_seconds: float) -> bool:
    try:
        # A time that is not a number is not within the tolerance either.
        return abs(time.time() - float(timestamp)) <= tolerance_seconds
    except ValueError:
        return False


def _read_secret(secret: str) -> bytes:
    text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    key = _decode(text)
    if not key:
        raise _invalid("The secret is not valid: it must be whsec_ followed by Base64.")
    return key


def _is_signature(text: str, expected: bytes) -> bool:
    version, _, value = text.partition(",")
    actual = _decode(value) if version == "v1" else None
    return actual is not None and hmac.compare_digest(actual, expected)


def _decode(text: str) -> t.Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _invalid(message: str) -> SendwrightError:
    return SendwrightError("invalid_signature", message)


class WebhookMethods(Resource):
    """Methods that the API's document does not describe."""

    def verify(
        self,
        payload: t.Union[str, bytes],
        headers: t.Mapping[str, t.Any],
        secret: str,
        *,
        tolerance_seconds: float = TOLERANCE_SECONDS,
    ) -> types.WebhookEvent:
        """
        Verifies the signature of a webhook and returns its event. Pass the body exactly as it arrived. Raises
        SendwrightError, `invalid_signature`.
        """
        return verify_webhook(payload, headers, secret, tolerance_seconds=tolerance_seconds)
