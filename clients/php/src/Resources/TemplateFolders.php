<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Folders that group templates.
 *
 * @phpstan-import-type CreateTemplateFolderRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type TemplateFolder from Types
 * @phpstan-import-type TemplateFolderList from Types
 * @phpstan-import-type UpdateTemplateFolderRequest from Types
 */
final class TemplateFolders extends Resource
{
    /**
     * Creates a template folder.
     *
     * @param CreateTemplateFolderRequest $body
     * @return TemplateFolder
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/template-folders', body: $body);
    }

    /**
     * Lists template folders, newest first.
     *
     * @return ListCall<TemplateFolderList, TemplateFolder>
     */
    public function list(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/template-folders',
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
     * Returns a template folder.
     *
     * @return TemplateFolder
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/template-folders/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a template folder.
     *
     * @param UpdateTemplateFolderRequest $body
     * @return TemplateFolder
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/template-folders/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes a template folder. Its templates are kept.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/template-folders/{id}', ids: [$id]);
    }
}
