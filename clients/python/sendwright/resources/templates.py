# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Templates(Resource):
    """Versioned email content with variables."""

    def create(self, body: types.CreateTemplateRequest) -> types.Template:
        """Creates a template."""
        return self._call("POST", "/templates", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        folder_id: t.Optional[str] = None,
        status: t.Optional[t.Literal["published", "draft"]] = None,
        q: t.Optional[str] = None,
    ) -> ListCall[types.TemplateSummaryList, types.TemplateSummary]:
        """Lists templates, newest first."""
        return self._list(
            "/templates",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "folder_id": folder_id,
                "status": status,
                "q": q,
            },
        )

    def get(self, id: str) -> types.Template:
        """Returns a template."""
        return self._call("GET", "/templates/{id}", ids=[id])

    def update(
        self,
        id: str,
        body: t.Optional[types.UpdateTemplateRequest] = None,
    ) -> types.Template:
        """Changes the given fields of a template."""
        return self._call("PATCH", "/templates/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.Deleted:
        """Deletes a template."""
        return self._call("DELETE", "/templates/{id}", ids=[id])

    def publish(self, id: str, *, revision: t.Optional[int] = None) -> types.Template:
        """Publishes a template with its draft, so that emails use it."""
        return self._call(
            "POST",
            "/templates/{id}/publish",
            ids=[id],
            query={"revision": revision},
            is_safe=True,
        )

    def get_draft(self, id: str) -> types.TemplateDraft:
        """Returns the unpublished changes of a template."""
        return self._call("GET", "/templates/{id}/draft", ids=[id])

    def save_draft(
        self,
        id: str,
        body: t.Optional[types.SaveTemplateDraftRequest] = None,
    ) -> types.TemplateDraft:
        """Saves changes of a template that emails do not use until they are published."""
        return self._call("PATCH", "/templates/{id}/draft", ids=[id], body=body or {})

    def discard_draft(self, id: str, *, revision: t.Optional[int] = None) -> types.Deleted:
        """Deletes the unpublished changes of a template."""
        return self._call("DELETE", "/templates/{id}/draft", ids=[id], query={"revision": revision})

    def duplicate(self, id: str) -> types.Template:
        """Creates a draft with the content of a template."""
        return self._call("POST", "/templates/{id}/duplicate", ids=[id])

    def versions(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.TemplateVersionSummaryList, types.TemplateVersionSummary]:
        """Lists the versions of a template, newest first."""
        return self._list(
            "/templates/{id}/versions",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get_version(self, id: str, version: int) -> types.TemplateVersion:
        """Returns one version of a template."""
        return self._call("GET", "/templates/{id}/versions/{version}", ids=[id, version])

    def restore_version(self, id: str, version: int) -> types.Template:
        """Makes the content of an earlier version the newest one."""
        return self._call("POST", "/templates/{id}/versions/{version}/restore", ids=[id, version])

    def preview(
        self,
        id: str,
        body: t.Optional[types.PreviewRequest] = None,
    ) -> types.TemplatePreview:
        """Renders a template without sending it."""
        return self._call(
            "POST",
            "/templates/{id}/preview",
            ids=[id],
            body=body or {},
            is_safe=True,
        )

    def preview_content(
        self,
        body: t.Optional[types.PreviewRequest] = None,
    ) -> types.TemplatePreview:
        """Renders content that is not stored."""
        return self._call("POST", "/templates/preview", body=body or {}, is_safe=True)
