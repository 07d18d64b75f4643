# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._events import EventMethods
from .._resource import ListCall


class Events(EventMethods):
    """Everything that happens to emails, contacts, domains and webhooks, as a feed, and events of your own."""

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

    def send(
        self,
        body: types.SendEventRequest,
        *,
        idempotency_key: t.Optional[str] = None,
    ) -> types.ReportedEvent:
        """Reports an event of a contact, which begins and resumes automations."""
        return self._call("POST", "/events/send", body=body, key=idempotency_key, is_keyed=True)

    def define(self, body: types.CreateEventDefinitionRequest) -> types.EventDefinition:
        """Defines an event of your own, with the fields of its payload."""
        return self._call("POST", "/events", body=body)

    def definitions(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.EventDefinitionList, types.EventDefinition]:
        """Lists the events that are defined, newest first."""
        return self._list(
            "/event-definitions",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get_definition(self, id: str) -> types.EventDefinition:
        """Returns an event that is defined, by id or name."""
        return self._call("GET", "/events/{id}", ids=[id])

    def update_definition(
        self,
        id: str,
        body: types.UpdateEventDefinitionRequest,
    ) -> types.EventDefinition:
        """Replaces the fields of the payload of an event."""
        return self._call("PATCH", "/events/{id}", ids=[id], body=body)

    def delete_definition(self, id: str) -> types.Deleted:
        """Deletes the definition of an event."""
        return self._call("DELETE", "/events/{id}", ids=[id])
