# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import Csv, Download, ListCall, Resource


class Suppressions(Resource):
    """Addresses that get no email. An `id` can also be an address."""

    def add(self, body: types.SuppressAddressRequest) -> types.Suppression:
        """Suppresses an address. Returns the existing entry if there is one."""
        return self._call("POST", "/suppressions", body=body, is_safe=True)

    def add_many(self, body: types.SuppressAddressesRequest) -> types.SuppressionsAdded:
        """Suppresses up to 1,000 addresses."""
        return self._call("POST", "/suppressions/batch/add", body=body, is_safe=True)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        reason: t.Optional[t.Literal["manual", "bounce", "complaint"]] = None,
        origin: t.Optional[t.Literal["manual", "bounce", "complaint"]] = None,
        email: t.Optional[str] = None,
        q: t.Optional[str] = None,
    ) -> ListCall[types.SuppressionList, types.Suppression]:
        """Lists suppressions, newest first."""
        return self._list(
            "/suppressions",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "reason": reason,
                "origin": origin,
                "email": email,
                "q": q,
            },
        )

    def get(self, id: str) -> types.Suppression:
        """Returns a suppression."""
        return self._call("GET", "/suppressions/{id}", ids=[id])

    def update(
        self,
        id: str,
        body: t.Optional[types.UpdateSuppressionRequest] = None,
    ) -> types.Suppression:
        """Changes the reason of a suppression."""
        return self._call("PATCH", "/suppressions/{id}", ids=[id], body=body or {})

    def remove(self, id: str) -> types.Deleted:
        """Removes a suppression, so that the address gets email again."""
        return self._call("DELETE", "/suppressions/{id}", ids=[id])

    def remove_many(
        self,
        body: t.Optional[types.RemoveSuppressionsRequest] = None,
    ) -> types.SuppressionsRemoved:
        """Removes up to 1,000 suppressions."""
        return self._call("POST", "/suppressions/batch/remove", body=body or {}, is_safe=True)

    def import_(
        self,
        csv: Csv,
        *,
        delimiter: t.Optional[t.Literal["comma", "semicolon", "tab", "pipe"]] = None,
        encoding: t.Optional[t.Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "macintosh"]] = None,
        ignore_unknown: t.Optional[bool] = None,
        dry_run: t.Optional[bool] = None,
        mapping: t.Optional[str] = None,
    ) -> types.ImportSummary:
        """Imports suppressions from CSV. Returns before the import has finished."""
        return self._call(
            "POST",
            "/suppressions/import",
            query={
                "delimiter": delimiter,
                "encoding": encoding,
                "ignore_unknown": ignore_unknown,
                "dry_run": dry_run,
                "mapping": mapping,
            },
            csv=csv,
        )

    def imports(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.ImportSummaryList, types.ImportSummary]:
        """Lists imports of suppressions, newest first."""
        return self._list(
            "/suppressions/imports",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get_import(self, id: str) -> types.Import:
        """Returns the progress of an import."""
        return self._call("GET", "/suppressions/imports/{id}", ids=[id])

    def import_errors(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.ImportErrorList, types.ImportError]:
        """Lists the rows that an import rejected, in line order."""
        return self._list(
            "/suppressions/imports/{id}/errors",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def export(
        self,
        *,
        reason: t.Optional[t.Literal["manual", "bounce", "complaint"]] = None,
        origin: t.Optional[t.Literal["manual", "bounce", "complaint"]] = None,
        email: t.Optional[str] = None,
        q: t.Optional[str] = None,
    ) -> Download:
        """Returns the suppressions that match as a stream of CSV."""
        return self._download(
            "/suppressions/export",
            query={"reason": reason, "origin": origin, "email": email, "q": q},
        )
