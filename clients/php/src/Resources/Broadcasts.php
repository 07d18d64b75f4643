<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Campaigns to a segment, in the form of Resend's API. `campaigns` can do more with them.
 *
 * @phpstan-import-type Broadcast from Types
 * @phpstan-import-type BroadcastId from Types
 * @phpstan-import-type BroadcastLink from Types
 * @phpstan-import-type BroadcastLinkList from Types
 * @phpstan-import-type BroadcastRecipient from Types
 * @phpstan-import-type BroadcastRecipientList from Types
 * @phpstan-import-type BroadcastSummary from Types
 * @phpstan-import-type BroadcastSummaryList from Types
 * @phpstan-import-type CreateBroadcastRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type SendBroadcastRequest from Types
 * @phpstan-import-type UpdateBroadcastRequest from Types
 */
final class Broadcasts extends Resource
{
    /**
     * Creates a broadcast, and sends it if asked to.
     *
     * @param CreateBroadcastRequest $body
     * @return BroadcastId
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/broadcasts', body: $body);
    }

    /**
     * Lists broadcasts, newest first.
     *
     * @return ListCall<BroadcastSummaryList, BroadcastSummary>
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
            '/broadcasts',
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
     * Returns a broadcast.
     *
     * @return Broadcast
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/broadcasts/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a broadcast.
     *
     * @param UpdateBroadcastRequest $body
     * @return BroadcastId
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/broadcasts/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes a broadcast.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/broadcasts/{id}', ids: [$id]);
    }

    /**
     * Sends a broadcast, now or at a given time.
     *
     * @param SendBroadcastRequest $body
     * @return BroadcastId
     */
    public function send(string $id, array $body = []): array
    {
        return $this->call('POST', '/broadcasts/{id}/send', ids: [$id], body: $body);
    }

    /**
     * Cancels a broadcast.
     *
     * @return BroadcastId
     */
    public function cancel(string $id): array
    {
        return $this->call('POST', '/broadcasts/{id}/cancel', ids: [$id], isSafe: true);
    }

    /**
     * Copies a broadcast into a draft.
     *
     * @return BroadcastId
     */
    public function duplicate(string $id): array
    {
        return $this->call('POST', '/broadcasts/{id}/duplicate', ids: [$id]);
    }

    /**
     * Lists the recipients to whom `type` happened; by default those it was sent to.
     *
     * @return ListCall<BroadcastRecipientList, BroadcastRecipient>
     */
    public function recipients(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $type = null,
        ?string $email = null,
        ?string $bounce_type = null,
    ): ListCall
    {
        return $this->page(
            '/broadcasts/{id}/recipients',
            ids: [$id],
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'type' => $type,
                'email' => $email,
                'bounce_type' => $bounce_type,
            ],
        );
    }

    /**
     * Lists the links that people clicked.
     *
     * @return ListCall<BroadcastLinkList, BroadcastLink>
     */
    public function clickedLinks(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/broadcasts/{id}/clicked-links',
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
