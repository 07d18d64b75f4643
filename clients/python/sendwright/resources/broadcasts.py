# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Broadcasts(Resource):
    """Campaigns to a segment, in the form of Resend's API. `campaigns` can do more with them."""

    def create(self, body: types.CreateBroadcastRequest) -> types.BroadcastId:
        """Creates a broadcast, and sends it if asked to."""
        return self._call("POST", "/broadcasts", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.BroadcastSummaryList, types.BroadcastSummary]:
        """Lists broadcasts, newest first."""
        return self._list(
            "/broadcasts",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.Broadcast:
        """Returns a broadcast."""
        return self._call("GET", "/broadcasts/{id}", ids=[id])

    def update(
        self,
        id: str,
        body: t.Optional[types.UpdateBroadcastRequest] = None,
    ) -> types.BroadcastId:
        """Changes the given fields of a broadcast."""
        return self._call("PATCH", "/broadcasts/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.Deleted:
        """Deletes a broadcast."""
        return self._call("DELETE", "/broadcasts/{id}", ids=[id])

    def send(
        self,
        id: str,
        body: t.Optional[types.SendBroadcastRequest] = None,
    ) -> types.BroadcastId:
        """Sends a broadcast, now or at a given time."""
        return self._call("POST", "/broadcasts/{id}/send", ids=[id], body=body or {})

    def cancel(self, id: str) -> types.BroadcastId:
        """Cancels a broadcast."""
        return self._call("POST", "/broadcasts/{id}/cancel", ids=[id], is_safe=True)

    def duplicate(self, id: str) -> types.BroadcastId:
        """Copies a broadcast into a draft."""
        return self._call("POST", "/broadcasts/{id}/duplicate", ids=[id])

    def recipients(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        type: t.Optional[t.Literal["sent", "delivered", "opened", "clicked", "bounced", "complained", "unsubscribed", "suppressed"]] = None,
        email: t.Optional[str] = None,
        bounce_type: t.Optional[t.Literal["permanent", "transient", "undetermined"]] = None,
    ) -> ListCall[types.BroadcastRecipientList, types.BroadcastRecipient]:
        """Lists the recipients to whom `type` happened; by default those it was sent to."""
        return self._list(
            "/broadcasts/{id}/recipients",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "type": type,
                "email": email,
                "bounce_type": bounce_type,
            },
        )

    def clicked_links(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.BroadcastLinkList, types.BroadcastLink]:
        """Lists the links that people clicked."""
        return self._list(
            "/broadcasts/{id}/clicked-links",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )
