<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * For operators: teams, sites, and the state of the installation. Needs the operator token as `apiKey`.
 *
 * @phpstan-import-type CreateTeamRequest from Types
 * @phpstan-import-type InstallationHealth from Types
 * @phpstan-import-type InviteToTeamRequest from Types
 * @phpstan-import-type ListSitesResponse from Types
 * @phpstan-import-type ListTeamsResponse from Types
 * @phpstan-import-type Node from Types
 * @phpstan-import-type NodeList from Types
 * @phpstan-import-type OperatorTeam from Types
 * @phpstan-import-type PauseSiteRequest from Types
 * @phpstan-import-type PauseSiteResponse from Types
 * @phpstan-import-type PauseTeamRequest from Types
 * @phpstan-import-type Plan from Types
 * @phpstan-import-type PlanList from Types
 * @phpstan-import-type Queue from Types
 * @phpstan-import-type ResumeSiteResponse from Types
 * @phpstan-import-type SentInvitation from Types
 * @phpstan-import-type ServerChecks from Types
 * @phpstan-import-type Shaping from Types
 * @phpstan-import-type Site from Types
 * @phpstan-import-type UpdateOperatorTeamRequest from Types
 */
final class Operator extends Resource
{
    /**
     * Lists teams.
     *
     * @return ListCall<ListTeamsResponse, OperatorTeam>
     */
    public function teams(
        ?string $q = null,
        ?bool $paused = null,
        ?int $limit = null,
        ?string $after = null,
    ): ListCall
    {
        return $this->page(
            '/operator/teams',
            query: ['q' => $q, 'paused' => $paused, 'limit' => $limit, 'after' => $after],
        );
    }

    /**
     * Creates a team.
     *
     * @param CreateTeamRequest $body
     * @return OperatorTeam
     */
    public function createTeam(array $body): array
    {
        return $this->call('POST', '/operator/teams', body: $body);
    }

    /**
     * Returns a team.
     *
     * @return OperatorTeam
     */
    public function getTeam(string $id): array
    {
        return $this->call('GET', '/operator/teams/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a team.
     *
     * @param UpdateOperatorTeamRequest $body
     * @return OperatorTeam
     */
    public function updateTeam(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/operator/teams/{id}', ids: [$id], body: $body);
    }

    /**
     * Pauses the sending of a team.
     *
     * @param PauseTeamRequest $body
     * @return OperatorTeam
     */
    public function pauseTeam(string $id, array $body): array
    {
        return $this->call('POST', '/operator/teams/{id}/pause', ids: [$id], body: $body, isSafe: true);
    }

    /**
     * Resumes the sending of a team.
     *
     * @return OperatorTeam
     */
    public function resumeTeam(string $id): array
    {
        return $this->call('POST', '/operator/teams/{id}/resume', ids: [$id], isSafe: true);
    }

    /**
     * Invites a person to a team.
     *
     * @param InviteToTeamRequest $body
     * @return SentInvitation
     */
    public function invite(string $id, array $body): array
    {
        return $this->call('POST', '/operator/teams/{id}/invitations', ids: [$id], body: $body);
    }

    /**
     * Lists the plans.
     *
     * @return ListCall<PlanList, Plan>
     */
    public function plans(): ListCall
    {
        return $this->page('/operator/plans');
    }

    /**
     * Returns the state of the queue.
     *
     * @return Queue
     */
    public function queue(): array
    {
        return $this->call('GET', '/operator/queue');
    }

    /**
     * Lists the mail servers that email goes to.
     *
     * @return ListCall<ListSitesResponse, Site>
     */
    public function sites(
        ?string $site = null,
        ?string $state = null,
        ?int $limit = null,
        ?string $after = null,
    ): ListCall
    {
        return $this->page(
            '/sites',
            query: ['site' => $site, 'state' => $state, 'limit' => $limit, 'after' => $after],
        );
    }

    /**
     * Pauses deliveries to a site.
     *
     * @param PauseSiteRequest $body
     * @return PauseSiteResponse
     */
    public function pauseSite(string $name, array $body): array
    {
        return $this->call('POST', '/sites/{name}/pause', ids: [$name], body: $body, isSafe: true);
    }

    /**
     * Resumes deliveries to a site.
     *
     * @return ResumeSiteResponse
     */
    public function resumeSite(string $name): array
    {
        return $this->call('POST', '/sites/{name}/resume', ids: [$name]);
    }

    /**
     * Returns the shaping rules in force.
     *
     * @return Shaping
     */
    public function shaping(): array
    {
        return $this->call('GET', '/operator/shaping');
    }

    /**
     * Lists the running processes.
     *
     * @return ListCall<NodeList, Node>
     */
    public function nodes(): ListCall
    {
        return $this->page('/operator/nodes');
    }

    /**
     * Returns the health of the installation.
     *
     * @return InstallationHealth
     */
    public function health(): array
    {
        return $this->call('GET', '/operator/health');
    }

    /**
     * Returns the last run of the server checks.
     *
     * @return ServerChecks
     */
    public function serverChecks(): array
    {
        return $this->call('GET', '/operator/server-checks');
    }

    /**
     * Runs the server checks, at most once a minute.
     *
     * @return ServerChecks
     */
    public function runServerChecks(): array
    {
        return $this->call('POST', '/operator/server-checks', isSafe: true);
    }
}
