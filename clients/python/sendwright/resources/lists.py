# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Lists(Resource):
    """Groups of contacts that you choose."""

    def create(self, body: types.CreateListRequest) -> types.List:
        """Creates a list."""
        return self._call("POST", "/lists", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.ListList, types.List]:
        """Lists lists, newest first."""
        return self._list(
            "/lists",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.List:
        """Returns a list."""
        return self._call("GET", "/lists/{id}", ids=[id])

    def update(self, id: str, body: t.Optional[types.UpdateListRequest] = None) -> types.List:
        """Changes the given fields of a list."""
        return self._call("PATCH", "/lists/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.Deleted:
        """Deletes a list."""
        return self._call("DELETE", "/lists/{id}", ids=[id])

    def contacts(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.ContactList, types.Contact]:
        """Lists the contacts in a list."""
        return self._list(
            "/lists/{id}/contacts",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )
