# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Properties(Resource):
    """Custom fields of contacts."""

    def create(self, body: types.CreatePropertyRequest) -> types.Property:
        """Creates a property."""
        return self._call("POST", "/properties", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.PropertyList, types.Property]:
        """Lists properties, newest first."""
        return self._list(
            "/properties",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.Property:
        """Returns a property."""
        return self._call("GET", "/properties/{id}", ids=[id])

    def update(
        self,
        id: str,
        body: t.Optional[types.UpdatePropertyRequest] = None,
    ) -> types.Property:
        """Changes the given fields of a property."""
        return self._call("PATCH", "/properties/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.Deleted:
        """Deletes a property."""
        return self._call("DELETE", "/properties/{id}", ids=[id])
