"""The client of Sendwright, self-hosted transactional email."""

from ._events import EventStream
from ._resource import Download, ListCall
from ._webhooks import verify_webhook
from .client import Sendwright
from .errors import SendwrightError

__all__ = ["Download", "EventStream", "ListCall", "Sendwright", "SendwrightError", "verify_webhook"]
