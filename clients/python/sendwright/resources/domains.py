# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Domains(Resource):
    """The domains you send from."""

    def create(self, body: types.CreateDomainRequest) -> types.Domain:
        """Creates a domain."""
        return self._call("POST", "/domains", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.DomainSummaryList, types.DomainSummary]:
        """Lists domains, newest first."""
        return self._list(
            "/domains",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.Domain:
        """Returns a domain."""
        return self._call("GET", "/domains/{id}", ids=[id])

    def update(self, id: str, body: t.Optional[types.UpdateDomainRequest] = None) -> types.Domain:
        """Changes the given fields of a domain."""
        return self._call("PATCH", "/domains/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.Deleted:
        """Deletes a domain."""
        return self._call("DELETE", "/domains/{id}", ids=[id])

    def records(
        self,
        id: str,
        *,
        format: t.Optional[t.Literal["zone", "cloudflare", "route53", "google"]] = None,
    ) -> bytes:
        """Returns the DNS records as a text: a zone file, or commands for a DNS provider."""
        return self._bytes("/domains/{id}/records", ids=[id], query={"format": format})

    def provider(self, id: str) -> types.DnsProvider:
        """Returns the provider that hosts the zone of a domain."""
        return self._call("GET", "/domains/{id}/provider", ids=[id])

    def verify(self, id: str) -> types.Domain:
        """Looks up the DNS records of a domain now."""
        return self._call("POST", "/domains/{id}/verify", ids=[id], is_safe=True)
