# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class TemplateFolders(Resource):
    """Folders that group templates."""

    def create(self, body: types.CreateTemplateFolderRequest) -> types.TemplateFolder:
        """Creates a template folder."""
        return self._call("POST", "/template-folders", body=body)

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.TemplateFolderList, types.TemplateFolder]:
        """Lists template folders, newest first."""
        return self._list(
            "/template-folders",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def get(self, id: str) -> types.TemplateFolder:
        """Returns a template folder."""
        return self._call("GET", "/template-folders/{id}", ids=[id])

    def update(
        self,
        id: str,
        body: t.Optional[types.UpdateTemplateFolderRequest] = None,
    ) -> types.TemplateFolder:
        """Changes the given fields of a template folder."""
        return self._call("PATCH", "/template-folders/{id}", ids=[id], body=body or {})

    def delete(self, id: str) -> types.Deleted:
        """Deletes a template folder. Its templates are kept."""
        return self._call("DELETE", "/template-folders/{id}", ids=[id])
