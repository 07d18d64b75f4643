# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Operator(Resource):
    """For operators: teams, sites, and the state of the installation. Needs the operator token as `apiKey`."""

    def teams(
        self,
        *,
        q: t.Optional[str] = None,
        paused: t.Optional[bool] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
    ) -> ListCall[types.ListTeamsResponse, types.OperatorTeam]:
        """Lists teams."""
        return self._list(
            "/operator/teams",
            query={"q": q, "paused": paused, "limit": limit, "after": after},
        )

    def create_team(self, body: types.CreateTeamRequest) -> types.OperatorTeam:
        """Creates a team."""
        return self._call("POST", "/operator/teams", body=body)

    def get_team(self, id: str) -> types.OperatorTeam:
        """Returns a team."""
        return self._call("GET", "/operator/teams/{id}", ids=[id])

    def update_team(
        self,
        id: str,
        body: t.Optional[types.UpdateOperatorTeamRequest] = None,
    ) -> types.OperatorTeam:
        """Changes the given fields of a team."""
        return self._call("PATCH", "/operator/teams/{id}", ids=[id], body=body or {})

    def pause_team(self, id: str, body: types.PauseTeamRequest) -> types.OperatorTeam:
        """Pauses the sending of a team."""
        return self._call("POST", "/operator/teams/{id}/pause", ids=[id], body=body, is_safe=True)

    def resume_team(self, id: str) -> types.OperatorTeam:
        """Resumes the sending of a team."""
        return self._call("POST", "/operator/teams/{id}/resume", ids=[id], is_safe=True)

    def invite(self, id: str, body: types.InviteToTeamRequest) -> types.SentInvitation:
        """Invites a person to a team."""
        return self._call("POST", "/operator/teams/{id}/invitations", ids=[id], body=body)

    def plans(self) -> ListCall[types.PlanList, types.Plan]:
        """Lists the plans."""
        return self._list("/operator/plans")

    def queue(self) -> types.Queue:
        """Returns the state of the queue."""
        return self._call("GET", "/operator/queue")

    def sites(
        self,
        *,
        site: t.Optional[str] = None,
        state: t.Optional[t.Literal["open", "paused", "probing", "stopped"]] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
    ) -> ListCall[types.ListSitesResponse, types.Site]:
        """Lists the mail servers that email goes to."""
        return self._list(
            "/sites",
            query={"site": site, "state": state, "limit": limit, "after": after},
        )

    def pause_site(self, name: str, body: types.PauseSiteRequest) -> types.PauseSiteResponse:
        """Pauses deliveries to a site."""
        return self._call("POST", "/sites/{name}/pause", ids=[name], body=body, is_safe=True)

    def resume_site(self, name: str) -> types.ResumeSiteResponse:
        """Resumes deliveries to a site."""
        return self._call("POST", "/sites/{name}/resume", ids=[name])

    def shaping(self) -> types.Shaping:
        """Returns the shaping rules in force."""
        return self._call("GET", "/operator/shaping")

    def nodes(self) -> ListCall[types.NodeList, types.Node]:
        """Lists the running processes."""
        return self._list("/operator/nodes")

    def health(self) -> types.InstallationHealth:
        """Returns the health of the installation."""
        return self._call("GET", "/operator/health")

    def server_checks(self) -> types.ServerChecks:
        """Returns the last run of the server checks."""
        return self._call("GET", "/operator/server-checks")

    def run_server_checks(self) -> types.ServerChecks:
        """Runs the server checks, at most once a minute."""
        return self._call("POST", "/operator/server-checks", is_safe=True)
