<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * The domains you send from.
 *
 * @phpstan-import-type CreateDomainRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type DnsProvider from Types
 * @phpstan-import-type Domain from Types
 * @phpstan-import-type DomainSummary from Types
 * @phpstan-import-type DomainSummaryList from Types
 * @phpstan-import-type UpdateDomainRequest from Types
 */
final class Domains extends Resource
{
    /**
     * Creates a domain.
     *
     * @param CreateDomainRequest $body
     * @return Domain
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/domains', body: $body);
    }

    /**
     * Lists domains, newest first.
     *
     * @return ListCall<DomainSummaryList, DomainSummary>
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
            '/domains',
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
     * Returns a domain.
     *
     * @return Domain
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/domains/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a domain.
     *
     * @param UpdateDomainRequest $body
     * @return Domain
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/domains/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes a domain.
     *
     * @return Deleted
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/domains/{id}', ids: [$id]);
    }

    /**
     * Returns the DNS records as a text: a zone file, or commands for a DNS provider.
     */
    public function records(string $id, ?string $format = null): string
    {
        return $this->bytes('/domains/{id}/records', ids: [$id], query: ['format' => $format]);
    }

    /**
     * Returns the provider that hosts the zone of a domain.
     *
     * @return DnsProvider
     */
    public function provider(string $id): array
    {
        return $this->call('GET', '/domains/{id}/provider', ids: [$id]);
    }

    /**
     * Looks up the DNS records of a domain now.
     *
     * @return Domain
     */
    public function verify(string $id): array
    {
        return $this->call('POST', '/domains/{id}/verify', ids: [$id], isSafe: true);
    }
}
