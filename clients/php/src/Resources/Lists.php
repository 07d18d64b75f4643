<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Groups of contacts that you choose.
 *
 * @phpstan-import-type Contact from Types
 * @phpstan-import-type ContactList from Types
 * @phpstan-import-type CreateListRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type ListList from Types
 * @phpstan-import-type ListOfContacts from Types
 * @phpstan-import-type UpdateListRequest from Types
 */
final class Lists extends Resource
{
    /**
     * Creates a list.
     *
     * @param CreateListRequest $body
     * @return ListOfContacts
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/lists', body: $body);
    }

    /**
     * Lists lists, newest first.
     *
     * @return ListCall<ListList, ListOfContacts>
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
            '/lists',
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
     * Returns a list.
     *
     * @return ListOfContacts
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/lists/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a list.
     *
     * @param UpdateListRequest $body
     * @return ListOfContacts
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/lists/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes a list.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/lists/{id}', ids: [$id]);
    }

    /**
     * Lists the contacts in a list.
     *
     * @return ListCall<ContactList, Contact>
     */
    public function contacts(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/lists/{id}/contacts',
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
}
