<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\Download;
use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * The people you write to. An `id` can also be an address.
 *
 * @phpstan-import-type AddContactToListsRequest from Types
 * @phpstan-import-type Contact from Types
 * @phpstan-import-type ContactList from Types
 * @phpstan-import-type CreateContactRequest from Types
 * @phpstan-import-type DeletedContact from Types
 * @phpstan-import-type DeletedListMembership from Types
 * @phpstan-import-type DeletedSegmentMembership from Types
 * @phpstan-import-type ErasePersonRequest from Types
 * @phpstan-import-type Erasure from Types
 * @phpstan-import-type Import from Types
 * @phpstan-import-type ImportError from Types
 * @phpstan-import-type ImportErrorList from Types
 * @phpstan-import-type ImportSummary from Types
 * @phpstan-import-type ImportSummaryList from Types
 * @phpstan-import-type ListList from Types
 * @phpstan-import-type ListOfContacts from Types
 * @phpstan-import-type Segment from Types
 * @phpstan-import-type SegmentList from Types
 * @phpstan-import-type SegmentMembership from Types
 * @phpstan-import-type UpdateContactRequest from Types
 */
final class Contacts extends Resource
{
    /**
     * Creates a contact.
     *
     * @param CreateContactRequest $body
     * @return Contact
     */
    public function create(array $body): array
    {
        return $this->call('POST', '/contacts', body: $body);
    }

    /**
     * Lists contacts, newest first.
     *
     * @return ListCall<ContactList, Contact>
     */
    public function list(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $email = null,
        ?string $list_id = null,
        ?string $segment_id = null,
        ?bool $unsubscribed = null,
        ?string $q = null,
    ): ListCall
    {
        return $this->page(
            '/contacts',
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'email' => $email,
                'list_id' => $list_id,
                'segment_id' => $segment_id,
                'unsubscribed' => $unsubscribed,
                'q' => $q,
            ],
        );
    }

    /**
     * Returns a contact.
     *
     * @return Contact
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/contacts/{id}', ids: [$id]);
    }

    /**
     * Changes the given fields of a contact.
     *
     * @param UpdateContactRequest $body
     * @return Contact
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call('PATCH', '/contacts/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes a contact.
     *
     * @return DeletedContact
     */
    public function delete(string $id): array
    {
        return $this->call('DELETE', '/contacts/{id}', ids: [$id]);
    }

    /**
     * Lists the lists of a contact.
     *
     * @return ListCall<ListList, ListOfContacts>
     */
    public function lists(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/contacts/{id}/lists',
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
     * Adds a contact to lists.
     *
     * @param AddContactToListsRequest $body
     * @return Contact
     */
    public function addToLists(string $id, array $body): array
    {
        return $this->call('POST', '/contacts/{id}/lists', ids: [$id], body: $body, isSafe: true);
    }

    /**
     * Removes a contact from a list. The contact is kept.
     *
     * @return DeletedListMembership
     */
    public function removeFromList(string $id, string $listId): array
    {
        return $this->call('DELETE', '/contacts/{id}/lists/{listId}', ids: [$id, $listId], isSafe: true);
    }

    /**
     * Lists the segments that a contact matches now.
     *
     * @return ListCall<SegmentList, Segment>
     */
    public function segments(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/contacts/{id}/segments',
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
     * Adds a contact to a segment without conditions of its own, or with a list as its only condition.
     *
     * @return SegmentMembership
     */
    public function addToSegment(string $id, string $segmentId): array
    {
        return $this->call(
            'POST',
            '/contacts/{id}/segments/{segmentId}',
            ids: [$id, $segmentId],
            isSafe: true,
        );
    }

    /**
     * Removes a contact from such a segment. The contact is kept.
     *
     * @return DeletedSegmentMembership
     */
    public function removeFromSegment(string $id, string $segmentId): array
    {
        return $this->call(
            'DELETE',
            '/contacts/{id}/segments/{segmentId}',
            ids: [$id, $segmentId],
            isSafe: true,
        );
    }

    /**
     * Imports contacts from CSV, whose first line names the columns. Returns before the import has finished.
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
        ?bool $run_automations = null,
        ?string $existing = null,
        ?string $list_ids = null,
    ): array
    {
        return $this->call(
            'POST',
            '/contacts/import',
            query: [
                'delimiter' => $delimiter,
                'encoding' => $encoding,
                'ignore_unknown' => $ignore_unknown,
                'dry_run' => $dry_run,
                'mapping' => $mapping,
                'run_automations' => $run_automations,
                'existing' => $existing,
                'list_ids' => $list_ids,
            ],
            csv: $csv,
        );
    }

    /**
     * Lists imports of contacts, newest first.
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
            '/contacts/imports',
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
        return $this->call('GET', '/contacts/imports/{id}', ids: [$id]);
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
            '/contacts/imports/{id}/errors',
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
     * Returns the contacts that match as a stream of CSV.
     */
    public function export(
        ?string $email = null,
        ?string $list_id = null,
        ?string $segment_id = null,
        ?bool $unsubscribed = null,
        ?string $q = null,
    ): Download
    {
        return $this->download(
            '/contacts/export',
            query: [
                'email' => $email,
                'list_id' => $list_id,
                'segment_id' => $segment_id,
                'unsubscribed' => $unsubscribed,
                'q' => $q,
            ],
        );
    }

    /**
     * Erases all data about a person. Returns before the erasure has finished.
     *
     * @param ErasePersonRequest $body
     * @return Erasure
     */
    public function erase(string $id, array $body = []): array
    {
        return $this->call('POST', '/contacts/{id}/erase', ids: [$id], body: $body, isSafe: true);
    }

    /**
     * Returns the progress of an erasure.
     *
     * @return Erasure
     */
    public function getErasure(string $id): array
    {
        return $this->call('GET', '/erasures/{id}', ids: [$id]);
    }

    /**
     * Returns all data about a person as a stream of JSON.
     */
    public function exportPerson(string $id): Download
    {
        return $this->download('/contacts/{id}/export', ids: [$id]);
    }
}
