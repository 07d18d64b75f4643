# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class AutomationRuns(Resource):
    """Contacts on their way through an automation."""

    def list(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        status: t.Optional[t.List[str]] = None,
        version: t.Optional[int] = None,
        step: t.Optional[str] = None,
        contact_id: t.Optional[str] = None,
    ) -> ListCall[types.AutomationRunList, types.AutomationRun]:
        """Lists the runs of an automation, newest first."""
        return self._list(
            "/automations/{id}/runs",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "status": status,
                "version": version,
                "step": step,
                "contact_id": contact_id,
            },
        )

    def get(self, id: str, run_id: str) -> types.AutomationRunTrail:
        """Returns a run with each step that it took."""
        return self._call("GET", "/automations/{id}/runs/{runId}", ids=[id, run_id])

    def start(
        self,
        id: str,
        body: t.Optional[types.StartAutomationRunRequest] = None,
    ) -> types.AutomationRun:
        """Begins a run of an automation with the trigger `api`."""
        return self._call("POST", "/automations/{id}/runs", ids=[id], body=body or {})

    def cancel(self, id: str, run_id: str) -> types.AutomationRun:
        """Ends a run where it is."""
        return self._call("POST", "/automations/{id}/runs/{runId}/cancel", ids=[id, run_id])

    def retry(self, id: str, run_id: str) -> types.AutomationRun:
        """Takes the last step of a failed run again."""
        return self._call("POST", "/automations/{id}/runs/{runId}/retry", ids=[id, run_id])
