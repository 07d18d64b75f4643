<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\StreamsEvents;
use Sendwright\Types;

/**
 * Everything that happens to emails, contacts, domains and webhooks, as a feed, and events of your own.
 *
 * @phpstan-import-type CreateEventDefinitionRequest from Types
 * @phpstan-import-type Deleted from Types
 * @phpstan-import-type Event from Types
 * @phpstan-import-type EventDefinition from Types
 * @phpstan-import-type EventDefinitionList from Types
 * @phpstan-import-type EventPage from Types
 * @phpstan-import-type ReportedEvent from Types
 * @phpstan-import-type SendEventRequest from Types
 * @phpstan-import-type UpdateEventDefinitionRequest from Types
 */
final class Events extends Resource
{
    use StreamsEvents;

    /**
     * Lists events, oldest first. A loop ends with the newest one.
     *
     * @return ListCall<EventPage, Event>
     */
    public function list(
        ?string $after = null,
        ?string $from = null,
        ?string $types = null,
        ?string $type = null,
        ?string $email_id = null,
        ?string $subject_id = null,
        ?int $limit = null,
        ?int $wait = null,
    ): ListCall
    {
        return $this->page(
            '/events',
            query: [
                'after' => $after,
                'from' => $from,
                'types' => $types,
                'type' => $type,
                'email_id' => $email_id,
                'subject_id' => $subject_id,
                'limit' => $limit,
                'wait' => $wait,
            ],
        );
    }

    /**
     * Reports an event of a contact, which begins and resumes automations.
     *
     * @param SendEventRequest $body
     * @return ReportedEvent
     */
    public function send(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/events/send', body: $body, key: $idempotencyKey, isKeyed: true);
    }

    /**
     * Defines an event of your own, with the fields of its payload.
     *
     * @param CreateEventDefinitionRequest $body
     * @return EventDefinition
     */
    public function define(array $body): array
    {
        return $this->call('POST', '/events', body: $body);
    }

    /**
     * Lists the events that are defined, newest first.
     *
     * @return ListCall<EventDefinitionList, EventDefinition>
     */
    public function definitions(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/event-definitions',
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
     * Returns an event that is defined, by id or name.
     *
     * @return EventDefinition
     */
    public function getDefinition(string $id): array
    {
        return $this->call('GET', '/events/{id}', ids: [$id]);
    }

    /**
     * Replaces the fields of the payload of an event.
     *
     * @param UpdateEventDefinitionRequest $body
     * @return EventDefinition
     */
    public function updateDefinition(string $id, array $body): array
    {
        return $this->call('PATCH', '/events/{id}', ids: [$id], body: $body);
    }

    /**
     * Deletes the definition of an event.
     *
     * @return Deleted
     */
    public function deleteDefinition(string $id): array
    {
        return $this->call('DELETE', '/events/{id}', ids: [$id]);
    }
}
