<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\Download;
use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Emails to a list or a segment.
 *
 * @phpstan-import-type Campaign from Types
 * @phpstan-import-type CampaignAudience from Types
 * @phpstan-import-type CampaignChecks from Types
 * @phpstan-import-type CampaignEstimate from Types
 * @phpstan-import-type CampaignLink from Types
 * @phpstan-import-type CampaignLinkList from Types
 * @phpstan-import-type CampaignMetrics from Types
 * @phpstan-import-type CampaignPreview from Types
 * @phpstan-import-type CampaignRecipient from Types
 * @phpstan-import-type CampaignRecipientList from Types
 * @phpstan-import-type CampaignRetry from Types
 * @phpstan-import-type CampaignSummary from Types
 * @phpstan-import-type CampaignSummaryList from Types
 * @phpstan-import-type CampaignTest from Types
 * @phpstan-import-type CreateCampaignRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type PreviewCampaignAudienceRequest from Types
 * @phpstan-import-type PreviewCampaignRequest from Types
 * @phpstan-import-type SendCampaignRequest from Types
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

    /**
     * Sends a campaign, now or at a given time.
     *
     * @param SendCampaignRequest $body
     * @return Campaign
     */
    public function send(string $id, array $body = []): array
    {
        return $this->call('POST', '/campaigns/{id}/send', ids: [$id], body: $body);
    }

    /**
     * Pauses a campaign.
     *
     * @return Campaign
     */
    public function pause(string $id): array
    {
        return $this->call('POST', '/campaigns/{id}/pause', ids: [$id], isSafe: true);
    }

    /**
     * Resumes a paused campaign.
     *
     * @return Campaign
     */
    public function resume(string $id): array
    {
        return $this->call('POST', '/campaigns/{id}/resume', ids: [$id], isSafe: true);
    }

    /**
     * Cancels a campaign.
     *
     * @return Campaign
     */
    public function cancel(string $id): array
    {
        return $this->call('POST', '/campaigns/{id}/cancel', ids: [$id], isSafe: true);
    }

    /**
     * Copies a campaign into a draft.
     *
     * @return Campaign
     */
    public function duplicate(string $id): array
    {
        return $this->call('POST', '/campaigns/{id}/duplicate', ids: [$id]);
    }

    /**
     * Sends a campaign again to the recipients that failed.
     *
     * @return CampaignRetry
     */
    public function retry(string $id): array
    {
        return $this->call('POST', '/campaigns/{id}/retry', ids: [$id]);
    }

    /**
     * Lists the recipients of a campaign, newest contact first.
     *
     * @return ListCall<CampaignRecipientList, CampaignRecipient>
     */
    public function recipients(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $state = null,
    ): ListCall
    {
        return $this->page(
            '/campaigns/{id}/recipients',
            ids: [$id],
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'state' => $state,
            ],
        );
    }

    /**
     * Lists the clicked links of a campaign, most recipients first.
     *
     * @return ListCall<CampaignLinkList, CampaignLink>
     */
    public function links(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/campaigns/{id}/links',
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

    /**
     * Returns the recipients of a campaign as a stream of CSV.
     */
    public function exportRecipients(string $id, ?string $state = null): Download
    {
        return $this->download('/campaigns/{id}/recipients/export', ids: [$id], query: ['state' => $state]);
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
     * Renders a campaign as a contact would get it, or with fallbacks only.
     *
     * @param PreviewCampaignRequest $body
     * @return CampaignPreview
     */
    public function preview(string $id, array $body = []): array
    {
        return $this->call('POST', '/campaigns/{id}/preview', ids: [$id], body: $body, isSafe: true);
    }

    /**
     * Sends a campaign to up to 10 addresses, as a test.
     *
     * @param TestCampaignRequest $body
     * @return CampaignTest
     */
    public function test(string $id, array $body): array
    {
        return $this->call('POST', '/campaigns/{id}/test', ids: [$id], body: $body);
    }

    /**
     * Lists what keeps a campaign from being sent, and what to mend.
     *
     * @return CampaignChecks
     */
    public function check(string $id): array
    {
        return $this->call('GET', '/campaigns/{id}/checks', ids: [$id]);
    }

    /**
     * Estimates when a campaign begins and ends if it is sent now, or at a time.
     *
     * @return CampaignEstimate
     */
    public function estimate(string $id, ?string $scheduled_at = null): array
    {
        return $this->call(
            'GET',
            '/campaigns/{id}/estimate',
            ids: [$id],
            query: ['scheduled_at' => $scheduled_at],
        );
    }
}
