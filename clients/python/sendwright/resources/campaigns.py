# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


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

    def delete(self, id: str) -> types.Deleted:
        """Deletes a campaign."""
        return self._call("DELETE", "/campaigns/{id}", ids=[id])

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
        """Renders a campaign as a contact would get it."""
        return self._call(
            "POST",
            "/campaigns/{id}/preview",
            ids=[id],
            body=body or {},
            is_safe=True,
        )

    def test(self, id: str, body: types.TestCampaignRequest) -> types.CampaignTest:
        """Sends the content of a campaign to up to ten addresses."""
        return self._call("POST", "/campaigns/{id}/test", ids=[id], body=body)

    def check(self, id: str) -> types.CampaignChecks:
        """Lists what to mend in a campaign before it is sent."""
        return self._call("GET", "/campaigns/{id}/checks", ids=[id])
