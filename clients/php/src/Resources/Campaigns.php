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
 * @phpstan-import-type CampaignAudience from Types
 * @phpstan-import-type CampaignChecks from Types
 * @phpstan-import-type CampaignPreview from Types
 * @phpstan-import-type CampaignSummary from Types
 * @phpstan-import-type CampaignSummaryList from Types
 * @phpstan-import-type CampaignTest from Types
 * @phpstan-import-type CreateCampaignRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type PreviewCampaignAudienceRequest from Types
 * @phpstan-import-type PreviewCampaignRequest from Types
 * @phpstan-import-type TestCampaignRequest from Types
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
     * Deletes a campaign.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/campaigns/{id}', ids: [$id]);
    }

    /**
     * Counts who would get a campaign, without storing anything.
     *
     * @param PreviewCampaignAudienceRequest $body
     * @return CampaignAudience
     */
    public function previewAudience(array $body = []): array
    {
        return $this->call('POST', '/campaigns/audience', body: $body, isSafe: true);
    }

    /**
     * Renders a campaign as a contact would get it.
     *
     * @param PreviewCampaignRequest $body
     * @return CampaignPreview
     */
    public function preview(string $id, array $body = []): array
    {
        return $this->call('POST', '/campaigns/{id}/preview', ids: [$id], body: $body, isSafe: true);
    }

    /**
     * Sends the content of a campaign to up to ten addresses.
     *
     * @param TestCampaignRequest $body
     * @return CampaignTest
     */
    public function test(string $id, array $body): array
    {
        return $this->call('POST', '/campaigns/{id}/test', ids: [$id], body: $body);
    }

    /**
     * Lists what to mend in a campaign before it is sent.
     *
     * @return CampaignChecks
     */
    public function check(string $id): array
    {
        return $this->call('GET', '/campaigns/{id}/checks', ids: [$id]);
    }
}
