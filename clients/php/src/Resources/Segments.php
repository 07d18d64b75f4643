<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Conditions that select contacts.
 *
 * @phpstan-import-type Contact from Types
 * @phpstan-import-type ContactList from Types
 * @phpstan-import-type CountSegmentContactsRequest from Types
 * @phpstan-import-type CreateSegmentRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type Segment from Types
 * @phpstan-import-type SegmentCount from Types
 * @phpstan-import-type SegmentList from Types
 * @phpstan-import-type UpdateSegmentRequest from Types
 */
final class Segments extends Resource
{
    /**
     * Creates a segment.
     *
     * @param CreateSegmentRequest $body
     * @return Segment
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/segments', body: $body);
    }

    /**
     * Lists segments, newest first.
     *
     * @return ListCall<SegmentList, Segment>
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
            '/segments',
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
     * Returns a segment.
     *
     * @return Segment
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/segments/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a segment.
     *
     * @param UpdateSegmentRequest $body
     * @return Segment
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/segments/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes a segment.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/segments/{id}', ids: [$id]);
    }

    /**
     * Counts the contacts that match filters, with a few examples.
     *
     * @param CountSegmentContactsRequest $body
     * @return SegmentCount
     */
    public function count(array $body = []): array
    {
        return $this->call('POST', '/segments/count', body: $body, isSafe: true);
    }

    /**
     * Lists the contacts that match a segment now.
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
            '/segments/{id}/contacts',
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
