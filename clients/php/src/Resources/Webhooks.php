<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;
use Sendwright\VerifiesWebhooks;

/**
 * Your endpoints for events, and the deliveries to them.
 *
 * @phpstan-import-type CreateWebhookRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type ReplayWebhookEventsRequest from Types
 * @phpstan-import-type TestWebhookRequest from Types
 * @phpstan-import-type UpdateWebhookRequest from Types
 * @phpstan-import-type Webhook from Types
 * @phpstan-import-type WebhookDelivery from Types
 * @phpstan-import-type WebhookDeliverySummary from Types
 * @phpstan-import-type WebhookDeliverySummaryList from Types
 * @phpstan-import-type WebhookList from Types
 * @phpstan-import-type WebhookReplay from Types
 * @phpstan-import-type WebhookWithSecret from Types
 */
final class Webhooks extends Resource
{
    use VerifiesWebhooks;

    /**
     * Creates a webhook.
     *
     * @param CreateWebhookRequest $body
     * @return WebhookWithSecret
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/webhooks', body: $body);
    }

    /**
     * Lists webhooks, newest first.
     *
     * @return ListCall<WebhookList, Webhook>
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
            '/webhooks',
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
     * Returns a webhook.
     *
     * @return WebhookWithSecret
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/webhooks/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a webhook.
     *
     * @param UpdateWebhookRequest $body
     * @return Webhook
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/webhooks/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes a webhook.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/webhooks/{id}', ids: [$id]);
    }

    /**
     * Sends an example event to a webhook.
     *
     * @param TestWebhookRequest $body
     * @return WebhookDeliverySummary
     */
    public function test(string $id, array $body = []): array
    {
        return $this->call('POST', '/webhooks/{id}/test', ids: [$id], body: $body);
    }

    /**
     * Creates a new signing secret. The old one keeps signing for 24 hours.
     *
     * @return WebhookWithSecret
     */
    public function rotateSecret(string $id): array
    {
        return $this->call('POST', '/webhooks/{id}/rotate-secret', ids: [$id]);
    }

    /**
     * Sends the events of a period again.
     *
     * @param ReplayWebhookEventsRequest $body
     * @return WebhookReplay
     */
    public function replay(string $id, array $body): array
    {
        return $this->call('POST', '/webhooks/{id}/replay', ids: [$id], body: $body);
    }

    /**
     * Lists the deliveries of a webhook, newest first.
     *
     * @return ListCall<WebhookDeliverySummaryList, WebhookDeliverySummary>
     */
    public function deliveries(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $status = null,
        ?string $type = null,
    ): ListCall
    {
        return $this->page(
            '/webhooks/{id}/deliveries',
            ids: [$id],
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'status' => $status,
                'type' => $type,
            ],
        );
    }

    /**
     * Returns a delivery with its request and its attempts.
     *
     * @return WebhookDelivery
     */
    public function getDelivery(string $id, string $deliveryId): array
    {
        return $this->call('GET', '/webhooks/{id}/deliveries/{deliveryId}', ids: [$id, $deliveryId]);
    }

    /**
     * Sends the event of a delivery again.
     *
     * @return WebhookDeliverySummary
     */
    public function replayDelivery(string $id, string $deliveryId): array
    {
        return $this->call('POST', '/webhooks/{id}/deliveries/{deliveryId}/replay', ids: [$id, $deliveryId]);
    }
}
