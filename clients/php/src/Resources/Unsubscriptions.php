<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Addresses that unsubscribed from a list or a topic.
 *
 * @phpstan-import-type CreateUnsubscriptionRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type Unsubscription from Types
 * @phpstan-import-type UnsubscriptionList from Types
 */
final class Unsubscriptions extends Resource
{
    /**
     * Unsubscribes an address. Returns the existing entry if there is one.
     *
     * @param CreateUnsubscriptionRequest $body
     * @return Unsubscription
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/unsubscriptions', body: $body, isSafe: true);
    }

    /**
     * Lists unsubscriptions, newest first.
     *
     * @return ListCall<UnsubscriptionList, Unsubscription>
     */
    public function list(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $email = null,
    ): ListCall
    {
        return $this->page(
            '/unsubscriptions',
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'email' => $email,
            ],
        );
    }

    /**
     * Deletes an unsubscription, so that the address gets email again.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/unsubscriptions/{id}', ids: [$id]);
    }
}
