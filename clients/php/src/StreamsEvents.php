<?php

declare(strict_types=1);

namespace Sendwright;

/** Methods of events that the API's document does not describe. */
trait StreamsEvents
{
    /**
     * Streams events as they happen, and reconnects where a connection broke: no event is missed, and none appears
     * twice. Without `after`, it begins with the next event, or with the oldest one (`from: 'start'`).
     *
     * @param ?list<string> $types
     */
    public function stream(
        ?array $types = null,
        ?string $email_id = null,
        ?string $subject_id = null,
        ?string $after = null,
        string $from = 'end',
    ): EventStream {
        $filters = [
            'types' => $types === null ? null : implode(',', $types),
            'email_id' => $email_id,
            'subject_id' => $subject_id,
        ];
        return new EventStream($this->transport, $filters, $after, $from);
    }
}
