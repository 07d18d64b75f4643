# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Senders(Resource):
    """Names and addresses that templates and campaigns send from."""

    def create(self, body: types.CreateSenderRequest) -> types.Sender:
        """Creates a sender."""
        return self._call("POST", "/senders", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.SenderList, types.Sender]:
        """Lists senders, newest first."""
        return self._list(
            "/senders",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.Sender:
        """Returns a sender."""
        return self._call("GET", "/senders/{id}", ids=[id])

    def update(self, id: str, body: t.Optional[types.UpdateSenderRequest] = None) -> types.Sender:
        """Changes the given fields of a sender."""
        return self._call("PATCH", "/senders/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.Deleted:
        """Deletes a sender."""
        return self._call("DELETE", "/senders/{id}", ids=[id])
