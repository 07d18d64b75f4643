<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Requests with API keys.
 *
 * @phpstan-import-type Log from Types
 * @phpstan-import-type LogList from Types
 */
final class Logs extends Resource
{
    /**
     * Lists requests, newest first.
     *
     * @return ListCall<LogList, Log>
     */
    public function list(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $request_id = null,
        ?string $method = null,
        ?string $status = null,
        ?string $route = null,
        ?string $endpoint = null,
        ?string $api_key_id = null,
        ?string $start_date = null,
        ?string $end_date = null,
    ): ListCall
    {
        return $this->page(
            '/logs',
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'request_id' => $request_id,
                'method' => $method,
                'status' => $status,
                'route' => $route,
                'endpoint' => $endpoint,
                'api_key_id' => $api_key_id,
                'start_date' => $start_date,
                'end_date' => $end_date,
            ],
        );
    }

    /**
     * Returns a request by the `requestId` of its result.
     *
     * @return Log
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/logs/{id}', ids: [$id]);
    }
}
