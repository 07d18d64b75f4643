# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class ApiKeys(Resource):
    """Keys that authenticate requests."""

    def create(self, body: types.CreateApiKeyRequest) -> types.ApiKeyWithToken:
        """Creates an API key."""
        return self._call("POST", "/api-keys", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.ApiKeyList, types.ApiKey]:
        """Lists API keys, newest first."""
        return self._list(
            "/api-keys",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.ApiKey:
        """Returns an API key."""
        return self._call("GET", "/api-keys/{id}", ids=[id])

    def update(self, id: str, body: t.Optional[types.UpdateApiKeyRequest] = None) -> types.ApiKey:
        """Changes the given fields of an API key."""
        return self._call("PATCH", "/api-keys/{id}", ids=[id], body=body or {})

    def revoke(self, id: str) -> types.Deleted:
        """Revokes a key within a second."""
        return self._call("DELETE", "/api-keys/{id}", ids=[id], is_safe=True)
