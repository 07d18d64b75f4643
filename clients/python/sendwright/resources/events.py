# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._events import EventMethods
from .._resource import ListCall


class Events(EventMethods):
    """Everything that happens to emails, contacts, domains and webhooks, as a feed."""

    def list(
        self,
        *,
        after: t.Optional[str] = None,
        from_: t.Optional[t.Literal["start", "end"]] = None,
        types: t.Optional[t.List[str]] = None,
        type: t.Optional[t.List[str]] = None,
        email_id: t.Optional[str] = None,
        subject_id: t.Optional[str] = None,
        limit: t.Optional[int] = None,
        wait: t.Optional[int] = None,
    ) -> ListCall[types.EventPage, types.Event]:
        """Lists events, oldest first. A loop ends with the newest one."""
        return self._list(
            "/events",
            query={
                "after": after,
                "from": from_,
                "types": types,
                "type": type,
                "email_id": email_id,
                "subject_id": subject_id,
                "limit": limit,
                "wait": wait,
            },
        )
