# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Segments(Resource):
    """Conditions that select contacts."""

    def create(self, body: types.CreateSegmentRequest) -> types.Segment:
        """Creates a segment."""
        return self._call("POST", "/segments", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.SegmentList, types.Segment]:
        """Lists segments, newest first."""
        return self._list(
            "/segments",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.Segment:
        """Returns a segment."""
        return self._call("GET", "/segments/{id}", ids=[id])

    def update(self, id: str, body: t.Optional[types.UpdateSegmentRequest] = None) -> types.Segment:
        """Changes the given fields of a segment."""
        return self._call("PATCH", "/segments/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.Deleted:
        """Deletes a segment."""
        return self._call("DELETE", "/segments/{id}", ids=[id])

    def count(
        self,
        body: t.Optional[types.CountSegmentContactsRequest] = None,
    ) -> types.SegmentCount:
        """Counts the contacts that match filters, with a few examples."""
        return self._call("POST", "/segments/count", body=body or {}, is_safe=True)

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
        """Lists the contacts that match a segment now."""
        return self._list(
            "/segments/{id}/contacts",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )
