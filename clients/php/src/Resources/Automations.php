<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Steps that follow a trigger.
 *
 * @phpstan-import-type Automation from Types
 * @phpstan-import-type AutomationList from Types
 * @phpstan-import-type CreateAutomationRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type UpdateAutomationRequest from Types
 */
final class Automations extends Resource
{
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
     * Deletes an automation.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/automations/{id}', ids: [$id]);
    }
}
