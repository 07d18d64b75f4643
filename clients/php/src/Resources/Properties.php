<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Custom fields of contacts.
 *
 * @phpstan-import-type CreatePropertyRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type Property from Types
 * @phpstan-import-type PropertyList from Types
 * @phpstan-import-type UpdatePropertyRequest from Types
 */
final class Properties extends Resource
{
    /**
     * Creates a property.
     *
     * @param CreatePropertyRequest $body
     * @return Property
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/properties', body: $body);
    }

    /**
     * Lists properties, newest first.
     *
     * @return ListCall<PropertyList, Property>
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
            '/properties',
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
     * Returns a property.
     *
     * @return Property
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/properties/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a property.
     *
     * @param UpdatePropertyRequest $body
     * @return Property
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/properties/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes a property.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/properties/{id}', ids: [$id]);
    }
}
