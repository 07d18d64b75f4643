# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource
from .._transport import Transport
from .automation_runs import AutomationRuns


class Automations(Resource):
    """Steps that follow a trigger for a contact."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.runs = AutomationRuns(transport)

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
        status: t.Optional[t.Literal["draft", "active", "paused", "enabled", "disabled"]] = None,
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
                "status": status,
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
        """Deletes an automation, which ends its runs."""
        return self._call("DELETE", "/automations/{id}", ids=[id])

    def stop(self, id: str) -> types.Automation:
        """Pauses an automation."""
        return self._call("POST", "/automations/{id}/stop", ids=[id], is_safe=True)

    def duplicate(self, id: str) -> types.Automation:
        """Copies an automation into a draft."""
        return self._call("POST", "/automations/{id}/duplicate", ids=[id])

    def versions(self, id: str) -> types.ListAutomationVersionsResponse:
        """Lists the versions of an automation, newest first."""
        return self._call("GET", "/automations/{id}/versions", ids=[id])

    def move_runs(self, id: str, body: types.MoveAutomationRunsRequest) -> types.AutomationMove:
        """Moves the waiting runs of an earlier version to the current one."""
        return self._call("POST", "/automations/{id}/move-runs", ids=[id], body=body, is_safe=True)

    def dry_run(
        self,
        id: str,
        body: t.Optional[types.DryRunAutomationRequest] = None,
    ) -> types.AutomationDryRun:
        """Returns what a run would do for a contact, without sending or changing anything."""
        return self._call(
            "POST",
            "/automations/{id}/dry-run",
            ids=[id],
            body=body or {},
            is_safe=True,
        )

    def figures(self, id: str, *, version: t.Optional[int] = None) -> types.AutomationFigures:
        """Returns how many runs came to each step of an automation, and what became of its
        emails."""
        return self._call("GET", "/automations/{id}/figures", ids=[id], query={"version": version})
