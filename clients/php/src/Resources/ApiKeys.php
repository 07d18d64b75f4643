<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Keys that authenticate requests.
 *
 * @phpstan-import-type ApiKey from Types
 * @phpstan-import-type ApiKeyList from Types
 * @phpstan-import-type ApiKeyWithToken from Types
 * @phpstan-import-type CreateApiKeyRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type UpdateApiKeyRequest from Types
 */
final class ApiKeys extends Resource
{
    /**
     * Creates an API key.
     *
     * @param CreateApiKeyRequest $body
     * @return ApiKeyWithToken
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/api-keys', body: $body);
    }

    /**
     * Lists API keys, newest first.
     *
     * @return ListCall<ApiKeyList, ApiKey>
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
            '/api-keys',
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
     * Returns an API key.
     *
     * @return ApiKey
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/api-keys/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of an API key.
     *
     * @param UpdateApiKeyRequest $body
     * @return ApiKey
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/api-keys/{id}', ids: [$id], body: $body);
    }

    /**
     * Revokes a key within a second.
     *
     * @return Deleted
     */
    public function revoke(string $id): array
    {
        return $this->call('DELETE', '/api-keys/{id}', ids: [$id], isSafe: true);
    }
}
