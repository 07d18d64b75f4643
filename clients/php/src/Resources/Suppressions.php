<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\Download;
use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Addresses that get no email. An `id` can also be an address.
 *
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type Import from Types
 * @phpstan-import-type ImportError from Types
 * @phpstan-import-type ImportErrorList from Types
 * @phpstan-import-type ImportSummary from Types
 * @phpstan-import-type ImportSummaryList from Types
 * @phpstan-import-type RemoveSuppressionsRequest from Types
 * @phpstan-import-type SuppressAddressRequest from Types
 * @phpstan-import-type SuppressAddressesRequest from Types
 * @phpstan-import-type Suppression from Types
 * @phpstan-import-type SuppressionList from Types
 * @phpstan-import-type SuppressionsAdded from Types
 * @phpstan-import-type SuppressionsRemoved from Types
 * @phpstan-import-type UpdateSuppressionRequest from Types
 */
final class Suppressions extends Resource
{
    /**
     * Suppresses an address. Returns the existing entry if there is one.
     *
     * @param SuppressAddressRequest $body
     * @return Suppression
     */
    public function add(array $body): array
    {
        return $this->call('POST', '/suppressions', body: $body, isSafe: true);
    }

    /**
     * Suppresses up to 1,000 addresses.
     *
     * @param SuppressAddressesRequest $body
     * @return SuppressionsAdded
     */
    public function addMany(array $body): array
    {
        return $this->call('POST', '/suppressions/batch/add', body: $body, isSafe: true);
    }

    /**
     * Lists suppressions, newest first.
     *
     * @return ListCall<SuppressionList, Suppression>
     */
    public function list(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $reason = null,
        ?string $origin = null,
        ?string $email = null,
        ?string $q = null,
    ): ListCall
    {
        return $this->page(
            '/suppressions',
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'reason' => $reason,
                'origin' => $origin,
                'email' => $email,
                'q' => $q,
            ],
        );
    }

    /**
     * Returns a suppression.
     *
     * @return Suppression
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/suppressions/{id}', ids: [$id]);
    }

    /**
     * Changes the reason of a suppression.
     *
     * @param UpdateSuppressionRequest $body
     * @return Suppression
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/suppressions/{id}', ids: [$id], body: $body);
    }

    /**
     * Removes a suppression, so that the address gets email again.
     *
     * @return Deleted
     */
    public function remove(string $id): array
    {
        return $this->call('DELETE', '/suppressions/{id}', ids: [$id]);
    }

    /**
     * Removes up to 1,000 suppressions.
     *
     * @param RemoveSuppressionsRequest $body
     * @return SuppressionsRemoved
     */
    public function removeMany(array $body = []): array
    {
        return $this->call('POST', '/suppressions/batch/remove', body: $body, isSafe: true);
    }

    /**
     * Imports suppressions from CSV. Returns before the import has finished.
     *
     * @param string|resource $csv the content, or an open file
     * @return ImportSummary
     */
    public function import(
        mixed $csv,
        ?string $delimiter = null,
        ?string $encoding = null,
        ?bool $ignore_unknown = null,
        ?bool $dry_run = null,
        ?string $mapping = null,
    ): array
    {
        return $this->call(
            'POST',
            '/suppressions/import',
            query: [
                'delimiter' => $delimiter,
                'encoding' => $encoding,
                'ignore_unknown' => $ignore_unknown,
                'dry_run' => $dry_run,
                'mapping' => $mapping,
            ],
            csv: $csv,
        );
    }

    /**
     * Lists imports of suppressions, newest first.
     *
     * @return ListCall<ImportSummaryList, ImportSummary>
     */
    public function imports(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/suppressions/imports',
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
     * Returns the progress of an import.
     *
     * @return Import
     */
    public function getImport(string $id): array
    {
        return $this->call('GET', '/suppressions/imports/{id}', ids: [$id]);
    }

    /**
     * Lists the rows that an import rejected, in line order.
     *
     * @return ListCall<ImportErrorList, ImportError>
     */
    public function importErrors(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/suppressions/imports/{id}/errors',
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
     * Returns the suppressions that match as a stream of CSV.
     */
    public function export(
        ?string $reason = null,
        ?string $origin = null,
        ?string $email = null,
        ?string $q = null,
    ): Download
    {
        return $this->download(
            '/suppressions/export',
            query: ['reason' => $reason, 'origin' => $origin, 'email' => $email, 'q' => $q],
        );
    }
}
