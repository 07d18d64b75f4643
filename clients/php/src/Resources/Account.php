<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Usage, alerts, metrics, the audit log and retention of the team.
 *
 * @phpstan-import-type Alert from Types
 * @phpstan-import-type AlertList from Types
 * @phpstan-import-type AuditEntry from Types
 * @phpstan-import-type AuditEntryList from Types
 * @phpstan-import-type GoLive from Types
 * @phpstan-import-type Retention from Types
 * @phpstan-import-type Summary from Types
 * @phpstan-import-type UpdateRetentionRequest from Types
 * @phpstan-import-type Usage from Types
 */
final class Account extends Resource
{
    /**
     * Returns the plan, its quotas, and their use.
     *
     * @return Usage
     */
    public function usage(): array
    {
        return $this->call('GET', '/usage');
    }

    /**
     * Returns the emails of a period by their status, with quotas and alerts.
     *
     * @return Summary
     */
    public function summary(
        ?string $start_date = null,
        ?string $end_date = null,
        ?string $interval = null,
        ?string $time_zone = null,
        ?string $include_simulated = null,
    ): array
    {
        return $this->call(
            'GET',
            '/summary',
            query: [
                'start_date' => $start_date,
                'end_date' => $end_date,
                'interval' => $interval,
                'time_zone' => $time_zone,
                'include_simulated' => $include_simulated,
            ],
        );
    }

    /**
     * Lists problems that need attention.
     *
     * @return ListCall<AlertList, Alert>
     */
    public function alerts(): ListCall
    {
        return $this->page('/attention');
    }

    /**
     * Returns what the team needs to send real email.
     *
     * @return GoLive
     */
    public function goLive(): array
    {
        return $this->call('GET', '/go-live');
    }

    /**
     * Lists who changed what, newest first.
     *
     * @return ListCall<AuditEntryList, AuditEntry>
     */
    public function auditLog(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $actor_id = null,
        ?string $target_id = null,
        ?string $action = null,
        ?string $start_date = null,
        ?string $end_date = null,
    ): ListCall
    {
        return $this->page(
            '/audit',
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'actor_id' => $actor_id,
                'target_id' => $target_id,
                'action' => $action,
                'start_date' => $start_date,
                'end_date' => $end_date,
            ],
        );
    }

    /**
     * Returns how long data is stored.
     *
     * @return Retention
     */
    public function retention(): array
    {
        return $this->call('GET', '/retention');
    }

    /**
     * Changes how long data is stored.
     *
     * @param UpdateRetentionRequest $body
     * @return Retention
     */
    public function updateRetention(array $body = []): array
    {
        return $this->call('PATCH', '/retention', body: $body);
    }
}
