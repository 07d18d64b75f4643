<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Transport;
use Sendwright\Types;

/**
 * Steps that follow a trigger for a contact.
 *
 * @phpstan-import-type Automation from Types
 * @phpstan-import-type AutomationDryRun from Types
 * @phpstan-import-type AutomationFigures from Types
 * @phpstan-import-type AutomationList from Types
 * @phpstan-import-type AutomationMove from Types
 * @phpstan-import-type CreateAutomationRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type DryRunAutomationRequest from Types
 * @phpstan-import-type ListAutomationVersionsResponse from Types
 * @phpstan-import-type MoveAutomationRunsRequest from Types
 * @phpstan-import-type UpdateAutomationRequest from Types
 */
final class Automations extends Resource
{
    public readonly AutomationRuns $runs;

    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->runs = new AutomationRuns($transport);
    }

    /**
     * Creates an automation.
     *
     * @param CreateAutomationRequest $body
     * @return Automation
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/automations', body: $body);
    }

    /**
     * Lists automations, newest first.
     *
     * @return ListCall<AutomationList, Automation>
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
            '/automations',
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
     * Returns an automation.
     *
     * @return Automation
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/automations/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of an automation.
     *
     * @param UpdateAutomationRequest $body
     * @return Automation
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/automations/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes an automation, which ends its runs.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/automations/{id}', ids: [$id]);
    }

    /**
     * Pauses an automation.
     *
     * @return Automation
     */
    public function stop(string $id): array
    {
        return $this->call('POST', '/automations/{id}/stop', ids: [$id], isSafe: true);
    }

    /**
     * Copies an automation into a draft.
     *
     * @return Automation
     */
    public function duplicate(string $id): array
    {
        return $this->call('POST', '/automations/{id}/duplicate', ids: [$id]);
    }

    /**
     * Lists the versions of an automation, newest first.
     *
     * @return ListAutomationVersionsResponse
     */
    public function versions(string $id): array
    {
        return $this->call('GET', '/automations/{id}/versions', ids: [$id]);
    }

    /**
     * Moves the waiting runs of an earlier version to the current one.
     *
     * @param MoveAutomationRunsRequest $body
     * @return AutomationMove
     */
    public function moveRuns(string $id, array $body): array
    {
        return $this->call('POST', '/automations/{id}/move-runs', ids: [$id], body: $body, isSafe: true);
    }

    /**
     * Returns what a run would do for a contact, without sending or changing anything.
     *
     * @param DryRunAutomationRequest $body
     * @return AutomationDryRun
     */
    public function dryRun(string $id, array $body = []): array
    {
        return $this->call('POST', '/automations/{id}/dry-run', ids: [$id], body: $body, isSafe: true);
    }

    /**
     * Returns how many runs came to each step of an automation, and what became of its emails.
     *
     * @return AutomationFigures
     */
    public function figures(string $id, ?int $version = null): array
    {
        return $this->call('GET', '/automations/{id}/figures', ids: [$id], query: ['version' => $version]);
    }
}
