# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import Csv, Download, ListCall, Resource


class Contacts(Resource):
    """The people you write to. An `id` can also be an address."""

    def create(self, body: types.CreateContactRequest) -> types.Contact:
        """Creates a contact."""
        return self._call("POST", "/contacts", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        email: t.Optional[str] = None,
        list_id: t.Optional[str] = None,
        segment_id: t.Optional[str] = None,
        unsubscribed: t.Optional[bool] = None,
        q: t.Optional[str] = None,
    ) -> ListCall[types.ContactList, types.Contact]:
        """Lists contacts, newest first."""
        return self._list(
            "/contacts",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "email": email,
                "list_id": list_id,
                "segment_id": segment_id,
                "unsubscribed": unsubscribed,
                "q": q,
            },
        )

    def get(self, id: str) -> types.Contact:
        """Returns a contact."""
        return self._call("GET", "/contacts/{id}", ids=[id])

    def update(self, id: str, body: t.Optional[types.UpdateContactRequest] = None) -> types.Contact:
        """Changes the given fields of a contact."""
        return self._call("PATCH", "/contacts/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.DeletedContact:
        """Deletes a contact."""
        return self._call("DELETE", "/contacts/{id}", ids=[id])

    def lists(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.ListList, types.List]:
        """Lists the lists of a contact."""
        return self._list(
            "/contacts/{id}/lists",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def add_to_lists(self, id: str, body: types.AddContactToListsRequest) -> types.Contact:
        """Adds a contact to lists."""
        return self._call("POST", "/contacts/{id}/lists", ids=[id], body=body, is_safe=True)

    def remove_from_list(self, id: str, list_id: str) -> types.DeletedListMembership:
        """Removes a contact from a list. The contact is kept."""
        return self._call(
            "DELETE",
            "/contacts/{id}/lists/{listId}",
            ids=[id, list_id],
            is_safe=True,
        )

    def segments(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.SegmentList, types.Segment]:
        """Lists the segments that a contact matches now."""
        return self._list(
            "/contacts/{id}/segments",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def add_to_segment(self, id: str, segment_id: str) -> types.SegmentMembership:
        """Adds a contact to a segment without conditions of its own, or with a list as its only
        condition."""
        return self._call(
            "POST",
            "/contacts/{id}/segments/{segmentId}",
            ids=[id, segment_id],
            is_safe=True,
        )

    def remove_from_segment(self, id: str, segment_id: str) -> types.DeletedSegmentMembership:
        """Removes a contact from such a segment. The contact is kept."""
        return self._call(
            "DELETE",
            "/contacts/{id}/segments/{segmentId}",
            ids=[id, segment_id],
            is_safe=True,
        )

    def import_(
        self,
        csv: Csv,
        *,
        delimiter: t.Optional[t.Literal["comma", "semicolon", "tab", "pipe"]] = None,
        encoding: t.Optional[t.Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "macintosh"]] = None,
        ignore_unknown: t.Optional[bool] = None,
        dry_run: t.Optional[bool] = None,
        mapping: t.Optional[str] = None,
        run_automations: t.Optional[bool] = None,
        existing: t.Optional[t.Literal["update", "skip"]] = None,
        list_ids: t.Optional[str] = None,
    ) -> types.ImportSummary:
        """Imports contacts from CSV, whose first line names the columns. Returns before the
        import has finished."""
        return self._call(
            "POST",
            "/contacts/import",
            query={
                "delimiter": delimiter,
                "encoding": encoding,
                "ignore_unknown": ignore_unknown,
                "dry_run": dry_run,
                "mapping": mapping,
                "run_automations": run_automations,
                "existing": existing,
                "list_ids": list_ids,
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
        """Lists imports of contacts, newest first."""
        return self._list(
            "/contacts/imports",
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
        return self._call("GET", "/contacts/imports/{id}", ids=[id])

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
            "/contacts/imports/{id}/errors",
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
        email: t.Optional[str] = None,
        list_id: t.Optional[str] = None,
        segment_id: t.Optional[str] = None,
        unsubscribed: t.Optional[bool] = None,
        q: t.Optional[str] = None,
    ) -> Download:
        """Returns the contacts that match as a stream of CSV."""
        return self._download(
            "/contacts/export",
            query={
                "email": email,
                "list_id": list_id,
                "segment_id": segment_id,
                "unsubscribed": unsubscribed,
                "q": q,
            },
        )

    def erase(self, id: str, body: t.Optional[types.ErasePersonRequest] = None) -> types.Erasure:
        """Erases all data about a person. Returns before the erasure has finished."""
        return self._call("POST", "/contacts/{id}/erase", ids=[id], body=body or {}, is_safe=True)

    def get_erasure(self, id: str) -> types.Erasure:
        """Returns the progress of an erasure."""
        return self._call("GET", "/erasures/{id}", ids=[id])

    def export_person(self, id: str) -> Download:
        """Returns all data about a person as a stream of JSON."""
        return self._download("/contacts/{id}/export", ids=[id])
