# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Captured(Resource):
    """Messages that capture mode stores instead of sending."""

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.CapturedEmailSummaryList, types.CapturedEmailSummary]:
        """Lists captured messages, newest first."""
        return self._list(
            "/captured",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.CapturedEmail:
        """Returns a captured message with its content."""
        return self._call("GET", "/captured/{id}", ids=[id])

    def clear(self) -> types.DeleteCapturedEmailsResponse:
        """Deletes all captured messages of the team."""
        return self._call("DELETE", "/captured")
