# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import Download, ListCall, Resource


class Campaigns(Resource):
    """Emails to a list or a segment."""

    def create(self, body: types.CreateCampaignRequest) -> types.Campaign:
        """Creates a campaign."""
        return self._call("POST", "/campaigns", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        status: t.Optional[t.Literal["draft", "scheduled", "sending", "paused", "sent", "canceled"]] = None,
    ) -> ListCall[types.CampaignSummaryList, types.CampaignSummary]:
        """Lists campaigns, newest first."""
        return self._list(
            "/campaigns",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "status": status,
            },
        )

    def get(self, id: str) -> types.Campaign:
        """Returns a campaign."""
        return self._call("GET", "/campaigns/{id}", ids=[id])

    def update(
        self,
        id: str,
        body: t.Optional[types.UpdateCampaignRequest] = None,
    ) -> types.Campaign:
        """Changes the given fields of a campaign."""
        return self._call("PATCH", "/campaigns/{id}", ids=[id], body=body or {})

    def metrics(self, id: str) -> types.CampaignMetrics:
        """Returns what became of the emails of a campaign."""
        return self._call("GET", "/campaigns/{id}/metrics", ids=[id])

    def delete(self, id: str) -> types.Deleted:
        """Deletes a campaign."""
        return self._call("DELETE", "/campaigns/{id}", ids=[id])

    def send(self, id: str, body: t.Optional[types.SendCampaignRequest] = None) -> types.Campaign:
        """Sends a campaign, now or at a given time."""
        return self._call("POST", "/campaigns/{id}/send", ids=[id], body=body or {})

    def pause(self, id: str) -> types.Campaign:
        """Pauses a campaign."""
        return self._call("POST", "/campaigns/{id}/pause", ids=[id], is_safe=True)

    def resume(self, id: str) -> types.Campaign:
        """Resumes a paused campaign."""
        return self._call("POST", "/campaigns/{id}/resume", ids=[id], is_safe=True)

    def cancel(self, id: str) -> types.Campaign:
        """Cancels a campaign."""
        return self._call("POST", "/campaigns/{id}/cancel", ids=[id], is_safe=True)

    def duplicate(self, id: str) -> types.Campaign:
        """Copies a campaign into a draft."""
        return self._call("POST", "/campaigns/{id}/duplicate", ids=[id])

    def retry(self, id: str) -> types.CampaignRetry:
        """Sends a campaign again to the recipients that failed."""
        return self._call("POST", "/campaigns/{id}/retry", ids=[id])

    def recipients(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        state: t.Optional[t.Literal["waiting", "accepted", "skipped", "failed"]] = None,
    ) -> ListCall[types.CampaignRecipientList, types.CampaignRecipient]:
        """Lists the recipients of a campaign, newest contact first."""
        return self._list(
            "/campaigns/{id}/recipients",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "state": state,
            },
        )

    def links(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.CampaignLinkList, types.CampaignLink]:
        """Lists the clicked links of a campaign, most recipients first."""
        return self._list(
            "/campaigns/{id}/links",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def export_recipients(
        self,
        id: str,
        *,
        state: t.Optional[t.Literal["waiting", "accepted", "skipped", "failed"]] = None,
    ) -> Download:
        """Returns the recipients of a campaign as a stream of CSV."""
        return self._download("/campaigns/{id}/recipients/export", ids=[id], query={"state": state})

    def preview_audience(
        self,
        body: t.Optional[types.PreviewCampaignAudienceRequest] = None,
    ) -> types.CampaignAudience:
        """Counts who would get a campaign, without storing anything."""
        return self._call("POST", "/campaigns/audience", body=body or {}, is_safe=True)

    def preview(
        self,
        id: str,
        body: t.Optional[types.PreviewCampaignRequest] = None,
    ) -> types.CampaignPreview:
        """Renders a campaign as a contact would get it, or with fallbacks only."""
        return self._call(
            "POST",
            "/campaigns/{id}/preview",
            ids=[id],
            body=body or {},
            is_safe=True,
        )

    def test(self, id: str, body: types.TestCampaignRequest) -> types.CampaignTest:
        """Sends a campaign to up to 10 addresses, as a test."""
        return self._call("POST", "/campaigns/{id}/test", ids=[id], body=body)

    def check(self, id: str) -> types.CampaignChecks:
        """Lists what keeps a campaign from being sent, and what to mend."""
        return self._call("GET", "/campaigns/{id}/checks", ids=[id])

    def estimate(self, id: str, *, scheduled_at: t.Optional[str] = None) -> types.CampaignEstimate:
        """Estimates when a campaign begins and ends if it is sent now, or at a time."""
        return self._call(
            "GET",
            "/campaigns/{id}/estimate",
            ids=[id],
            query={"scheduled_at": scheduled_at},
        )
