# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Unsubscriptions(Resource):
    """Addresses that unsubscribed from a list or a topic."""

    def create(self, body: types.CreateUnsubscriptionRequest) -> types.Unsubscription:
        """Unsubscribes an address. Returns the existing entry if there is one."""
        return self._call("POST", "/unsubscriptions", body=body, is_safe=True)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        email: t.Optional[str] = None,
    ) -> ListCall[types.UnsubscriptionList, types.Unsubscription]:
        """Lists unsubscriptions, newest first."""
        return self._list(
            "/unsubscriptions",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "email": email,
            },
        )

    def delete(self, id: str) -> types.Deleted:
        """Deletes an unsubscription, so that the address gets email again."""
        return self._call("DELETE", "/unsubscriptions/{id}", ids=[id])
