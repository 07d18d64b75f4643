<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Messages that capture mode stores instead of sending.
 *
 * @phpstan-import-type CapturedEmail from Types
 * @phpstan-import-type CapturedEmailSummary from Types
 * @phpstan-import-type CapturedEmailSummaryList from Types
 * @phpstan-import-type DeleteCapturedEmailsResponse from Types
 */
final class Captured extends Resource
{
    /**
     * Lists captured messages, newest first.
     *
     * @return ListCall<CapturedEmailSummaryList, CapturedEmailSummary>
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
            '/captured',
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
     * Returns a captured message with its content.
     *
     * @return CapturedEmail
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/captured/{id}', ids: [$id]);
    }

    /**
     * Deletes all captured messages of the team.
     *
     * @return DeleteCapturedEmailsResponse
     */
    public function clear(): array
    {
        return $this->call('DELETE', '/captured');
    }
}
