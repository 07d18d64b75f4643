<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Emails to a list or a segment.
 *
 * @phpstan-import-type Campaign from Types
 * @phpstan-import-type CampaignMetrics from Types
 * @phpstan-import-type CampaignSummary from Types
 * @phpstan-import-type CampaignSummaryList from Types
 * @phpstan-import-type CreateCampaignRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type UpdateCampaignRequest from Types
 */
final class Campaigns extends Resource
{
    /**
     * Creates a campaign.
     *
     * @param CreateCampaignRequest $body
     * @return Campaign
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/campaigns', body: $body);
    }

    /**
     * Lists campaigns, newest first.
     *
     * @return ListCall<CampaignSummaryList, CampaignSummary>
     */
    public function list(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $status = null,
    ): ListCall
    {
        return $this->page(
            '/campaigns',
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'status' => $status,
            ],
        );
    }

    /**
     * Returns a campaign.
     *
     * @return Campaign
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/campaigns/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a campaign.
     *
     * @param UpdateCampaignRequest $body
     * @return Campaign
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/campaigns/{id}', ids: [$id], body: $body);
    }

    /**
     * Returns what became of the emails of a campaign.
     *
     * @return CampaignMetrics
     */
    public function metrics(string $id): array
    {
        return $this->call('GET', '/campaigns/{id}/metrics', ids: [$id]);
    }

    /**
     * Deletes a campaign.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/campaigns/{id}', ids: [$id]);
    }
}
