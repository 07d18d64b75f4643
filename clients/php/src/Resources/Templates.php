<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Versioned email content with variables.
 *
 * @phpstan-import-type CreateTemplateRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type PreviewRequest from Types
 * @phpstan-import-type SaveTemplateDraftRequest from Types
 * @phpstan-import-type Template from Types
 * @phpstan-import-type TemplateDraft from Types
 * @phpstan-import-type TemplatePreview from Types
 * @phpstan-import-type TemplateSummary from Types
 * @phpstan-import-type TemplateSummaryList from Types
 * @phpstan-import-type TemplateVersion from Types
 * @phpstan-import-type TemplateVersionSummary from Types
 * @phpstan-import-type TemplateVersionSummaryList from Types
 * @phpstan-import-type UpdateTemplateRequest from Types
 */
final class Templates extends Resource
{
    /**
     * Creates a template.
     *
     * @param CreateTemplateRequest $body
     * @return Template
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/templates', body: $body);
    }

    /**
     * Lists templates, newest first.
     *
     * @return ListCall<TemplateSummaryList, TemplateSummary>
     */
    public function list(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $folder_id = null,
        ?string $status = null,
        ?string $q = null,
    ): ListCall
    {
        return $this->page(
            '/templates',
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'folder_id' => $folder_id,
                'status' => $status,
                'q' => $q,
            ],
        );
    }

    /**
     * Returns a template.
     *
     * @return Template
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/templates/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a template.
     *
     * @param UpdateTemplateRequest $body
     * @return Template
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/templates/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes a template.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/templates/{id}', ids: [$id]);
    }

    /**
     * Publishes a template with its draft, so that emails use it.
     *
     * @return Template
     */
    public function publish(string $id, ?int $revision = null): array
    {
        return $this->call(
            'POST',
            '/templates/{id}/publish',
            ids: [$id],
            query: ['revision' => $revision],
            isSafe: true,
        );
    }

    /**
     * Returns the unpublished changes of a template.
     *
     * @return TemplateDraft
     */
    public function getDraft(string $id): array
    {
        return $this->call('GET', '/templates/{id}/draft', ids: [$id]);
    }

    /**
     * Saves changes of a template that emails do not use until they are published.
     *
     * @param SaveTemplateDraftRequest $body
     * @return TemplateDraft
     */
    public function saveDraft(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/templates/{id}/draft', ids: [$id], body: $body);
    }

    /**
     * Deletes the unpublished changes of a template.
     *
     * @return Deleted
     */
    public function discardDraft(string $id, ?int $revision = null): array
    {
        return $this->call('DELETE', '/templates/{id}/draft', ids: [$id], query: ['revision' => $revision]);
    }

    /**
     * Creates a draft with the content of a template.
     *
     * @return Template
     */
    public function duplicate(string $id): array
    {
        return $this->call('POST', '/templates/{id}/duplicate', ids: [$id]);
    }

    /**
     * Lists the versions of a template, newest first.
     *
     * @return ListCall<TemplateVersionSummaryList, TemplateVersionSummary>
     */
    public function versions(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/templates/{id}/versions',
            ids: [$id],
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
            ],
        );
    }

    /**
     * Returns one version of a template.
     *
     * @return TemplateVersion
     */
    public function getVersion(string $id, int $version): array
    {
        return $this->call('GET', '/templates/{id}/versions/{version}', ids: [$id, $version]);
    }

    /**
     * Makes the content of an earlier version the newest one.
     *
     * @return Template
     */
    public function restoreVersion(string $id, int $version): array
    {
        return $this->call('POST', '/templates/{id}/versions/{version}/restore', ids: [$id, $version]);
    }

    /**
     * Renders a template without sending it.
     *
     * @param PreviewRequest $body
     * @return TemplatePreview
     */
    public function preview(string $id, array $body = []): array
    {
        return $this->call('POST', '/templates/{id}/preview', ids: [$id], body: $body, isSafe: true);
    }

    /**
     * Renders content that is not stored.
     *
     * @param PreviewRequest $body
     * @return TemplatePreview
     */
    public function previewContent(array $body = []): array
    {
        return $this->call('POST', '/templates/preview', body: $body, isSafe: true);
    }
}
