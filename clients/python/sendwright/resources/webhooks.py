# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._webhooks import WebhookMethods
from .._resource import ListCall


class Webhooks(WebhookMethods):
    """Your endpoints for events, and the deliveries to them."""

    def create(self, body: types.CreateWebhookRequest) -> types.WebhookWithSecret:
        """Creates a webhook."""
        return self._call("POST", "/webhooks", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.WebhookList, types.Webhook]:
        """Lists webhooks, newest first."""
        return self._list(
            "/webhooks",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.WebhookWithSecret:
        """Returns a webhook."""
        return self._call("GET", "/webhooks/{id}", ids=[id])

    def update(self, id: str, body: t.Optional[types.UpdateWebhookRequest] = None) -> types.Webhook:
        """Changes the given fields of a webhook."""
        return self._call("PATCH", "/webhooks/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.Deleted:
        """Deletes a webhook."""
        return self._call("DELETE", "/webhooks/{id}", ids=[id])

    def test(
        self,
        id: str,
        body: t.Optional[types.TestWebhookRequest] = None,
    ) -> types.WebhookDeliverySummary:
        """Sends an example event to a webhook."""
        return self._call("POST", "/webhooks/{id}/test", ids=[id], body=body or {})

    def rotate_secret(self, id: str) -> types.WebhookWithSecret:
        """Creates a new signing secret. The old one keeps signing for 24 hours."""
        return self._call("POST", "/webhooks/{id}/rotate-secret", ids=[id])

    def replay(self, id: str, body: types.ReplayWebhookEventsRequest) -> types.WebhookReplay:
        """Sends the events of a period again."""
        return self._call("POST", "/webhooks/{id}/replay", ids=[id], body=body)

    def deliveries(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        status: t.Optional[t.Literal["waiting", "delivered", "failed"]] = None,
        type: t.Optional[str] = None,
    ) -> ListCall[types.WebhookDeliverySummaryList, types.WebhookDeliverySummary]:
        """Lists the deliveries of a webhook, newest first."""
        return self._list(
            "/webhooks/{id}/deliveries",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "status": status,
                "type": type,
            },
        )

    def get_delivery(self, id: str, delivery_id: str) -> types.WebhookDelivery:
        """Returns a delivery with its request and its attempts."""
        return self._call("GET", "/webhooks/{id}/deliveries/{deliveryId}", ids=[id, delivery_id])

    def replay_delivery(self, id: str, delivery_id: str) -> types.WebhookDeliverySummary:
        """Sends the event of a delivery again."""
        return self._call(
            "POST",
            "/webhooks/{id}/deliveries/{deliveryId}/replay",
            ids=[id, delivery_id],
        )
