<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Contacts on their way through an automation.
 *
 * @phpstan-import-type AutomationRun from Types
 * @phpstan-import-type AutomationRunList from Types
 * @phpstan-import-type AutomationRunTrail from Types
 * @phpstan-import-type StartAutomationRunRequest from Types
 */
final class AutomationRuns extends Resource
{
    /**
     * Lists the runs of an automation, newest first.
     *
     * @return ListCall<AutomationRunList, AutomationRun>
     */
    public function list(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $status = null,
        ?int $version = null,
        ?string $step = null,
        ?string $contact_id = null,
    ): ListCall
    {
        return $this->page(
            '/automations/{id}/runs',
            ids: [$id],
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'status' => $status,
                'version' => $version,
                'step' => $step,
                'contact_id' => $contact_id,
            ],
        );
    }

    /**
     * Returns a run with each step that it took.
     *
     * @return AutomationRunTrail
     */
    public function get(string $id, string $runId): array
    {
        return $this->call('GET', '/automations/{id}/runs/{runId}', ids: [$id, $runId]);
    }

    /**
     * Begins a run of an automation with the trigger `api`.
     *
     * @param StartAutomationRunRequest $body
     * @return AutomationRun
     */
    public function start(string $id, array $body = []): array
    {
        return $this->call('POST', '/automations/{id}/runs', ids: [$id], body: $body);
    }

    /**
     * Ends a run where it is.
     *
     * @return AutomationRun
     */
    public function cancel(string $id, string $runId): array
    {
        return $this->call('POST', '/automations/{id}/runs/{runId}/cancel', ids: [$id, $runId]);
    }

    /**
     * Takes the last step of a failed run again.
     *
     * @return AutomationRun
     */
    public function retry(string $id, string $runId): array
    {
        return $this->call('POST', '/automations/{id}/runs/{runId}/retry', ids: [$id, $runId]);
    }
}
