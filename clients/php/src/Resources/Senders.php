<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Names and addresses that templates and campaigns send from.
 *
 * @phpstan-import-type CreateSenderRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type Sender from Types
 * @phpstan-import-type SenderList from Types
 * @phpstan-import-type UpdateSenderRequest from Types
 */
final class Senders extends Resource
{
    /**
     * Creates a sender.
     *
     * @param CreateSenderRequest $body
     * @return Sender
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/senders', body: $body);
    }

    /**
     * Lists senders, newest first.
     *
     * @return ListCall<SenderList, Sender>
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
            '/senders',
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
     * Returns a sender.
     *
     * @return Sender
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/senders/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a sender.
     *
     * @param UpdateSenderRequest $body
     * @return Sender
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/senders/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes a sender.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/senders/{id}', ids: [$id]);
    }
}
