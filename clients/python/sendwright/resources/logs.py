# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Logs(Resource):
    """Requests with API keys."""

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        request_id: t.Optional[str] = None,
        method: t.Optional[str] = None,
        status: t.Optional[str] = None,
        route: t.Optional[str] = None,
        endpoint: t.Optional[str] = None,
        api_key_id: t.Optional[str] = None,
        start_date: t.Optional[str] = None,
        end_date: t.Optional[str] = None,
    ) -> ListCall[types.LogList, types.Log]:
        """Lists requests, newest first."""
        return self._list(
            "/logs",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "request_id": request_id,
                "method": method,
                "status": status,
                "route": route,
                "endpoint": endpoint,
                "api_key_id": api_key_id,
                "start_date": start_date,
                "end_date": end_date,
            },
        )

    def get(self, id: str) -> types.Log:
        """Returns a request by the `requestId` of its result."""
        return self._call("GET", "/logs/{id}", ids=[id])
