# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Automations(Resource):
    """Steps that follow a trigger."""

    def create(self, body: types.CreateAutomationRequest) -> types.Automation:
        """Creates an automation."""
        return self._call("POST", "/automations", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.AutomationList, types.Automation]:
        """Lists automations, newest first."""
        return self._list(
            "/automations",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.Automation:
        """Returns an automation."""
        return self._call("GET", "/automations/{id}", ids=[id])

    def update(
        self,
        id: str,
        body: t.Optional[types.UpdateAutomationRequest] = None,
    ) -> types.Automation:
        """Changes the given fields of an automation."""
        return self._call("PATCH", "/automations/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.Deleted:
        """Deletes an automation."""
        return self._call("DELETE", "/automations/{id}", ids=[id])
