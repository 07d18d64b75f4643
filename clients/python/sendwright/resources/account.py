# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Account(Resource):
    """Usage, alerts, metrics, the audit log and retention of the team."""

    def usage(self) -> types.Usage:
        """Returns the plan, its quotas, and their use."""
        return self._call("GET", "/usage")

    def summary(
        self,
        *,
        start_date: t.Optional[str] = None,
        end_date: t.Optional[str] = None,
        interval: t.Optional[t.Literal["hour", "day"]] = None,
        time_zone: t.Optional[str] = None,
        include_simulated: t.Optional[t.Literal["true", "false"]] = None,
    ) -> types.Summary:
        """Returns the emails of a period by their status, with quotas and alerts."""
        return self._call(
            "GET",
            "/summary",
            query={
                "start_date": start_date,
                "end_date": end_date,
                "interval": interval,
                "time_zone": time_zone,
                "include_simulated": include_simulated,
            },
        )

    def alerts(self) -> ListCall[types.AlertList, types.Alert]:
        """Lists problems that need attention."""
        return self._list("/attention")

    def go_live(self) -> types.GoLive:
        """Returns what the team needs to send real email."""
        return self._call("GET", "/go-live")

    def audit_log(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        actor_id: t.Optional[str] = None,
        target_id: t.Optional[str] = None,
        action: t.Optional[str] = None,
        start_date: t.Optional[str] = None,
        end_date: t.Optional[str] = None,
    ) -> ListCall[types.AuditEntryList, types.AuditEntry]:
        """Lists who changed what, newest first."""
        return self._list(
            "/audit",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "actor_id": actor_id,
                "target_id": target_id,
                "action": action,
                "start_date": start_date,
                "end_date": end_date,
            },
        )

    def retention(self) -> types.Retention:
        """Returns how long data is stored."""
        return self._call("GET", "/retention")

    def update_retention(
        self,
        body: t.Optional[types.UpdateRetentionRequest] = None,
    ) -> types.Retention:
        """Changes how long data is stored."""
        return self._call("PATCH", "/retention", body=body or {})
