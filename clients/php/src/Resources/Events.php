<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\StreamsEvents;
use Sendwright\Types;

/**
 * Everything that happens to emails, contacts, domains and webhooks, as a feed.
 *
 * @phpstan-import-type Event from Types
 * @phpstan-import-type EventPage from Types
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
}
