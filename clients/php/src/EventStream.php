<?php

declare(strict_types=1);

namespace Sendwright;

/**
 * A stream of events, for one loop. It reconnects after lost connections, outages and rate limits, each time after its
 * cursor. It throws SendwrightError only if the request is invalid, or the server rejects it: an invalid key, cursor or
 * filter.
 *
 * @implements \IteratorAggregate<int, array<string, mixed>>
 */
final class EventStream implements \IteratorAggregate
{
    /** The server sends a heartbeat every 15 seconds. A connection that is silent for longer is dead. */
    private const SILENCE_MAX_SECONDS = 45.0;
    private const DELAY_MAX_SECONDS = 30.0;

    /** The connections since the last event or heartbeat. */
    private int $failures = 0;
    private bool $isClosed = false;

    /** @param array<string, mixed> $filters */
    public function __construct(
        private readonly Transport $transport,
        private readonly array $filters,
        private ?string $cursor,
        private readonly string $from,
    ) {
    }

    /**
     * Returns the position after the last event that the loop received, at first that of the start; null until the
     * stream is open. Store it after you have processed an event, and pass it as `after` to continue there.
     */
    public function cursor(): ?string
    {
        return $this->cursor;
    }

    /** Ends the stream at its next event or heartbeat. */
    public function close(): void
    {
        $this->isClosed = true;
    }

    /** @return \Generator<int, array<string, mixed>> */
    public function getIterator(): \Generator
    {
        while (!$this->isClosed) {
            $wait = 0.0;
            try {
                foreach ($this->readConnection() as $event) {
                    yield $event;
                }
            } catch (SendwrightError $error) {
                if (self::isFinal($error)) {
                    throw $error;
                }
                $wait = $error->retryAfterSeconds ?? 0.0;
            }
            if ($this->isClosed) {
                return;
            }
            $delay = Transport::backoff($this->failures++, self::DELAY_MAX_SECONDS);
            usleep((int) (max($wait, $delay) * 1_000_000));
        }
    }

    /**
     * Opens one connection and reads it until it breaks.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    private function readConnection(): \Generator
    {
        $response = $this->transport->open($this->request(), self::SILENCE_MAX_SECONDS);
        try {
            foreach (self::readFrames($response) as $frame) {
                $this->failures = 0;
                if ($this->isClosed) {
                    return;
                }
                $this->cursor = $frame['id'] ?? $this->cursor;
                if (isset($frame['data'])) {
                    yield json_decode($frame['data'], true);
                }
            }
        } finally {
            $response->close();
        }
    }

    private function request(): Request
    {
        $position = $this->cursor === null ? ['from' => $this->from] : [];
        $headers = $this->cursor === null ? [] : ['last-event-id' => $this->cursor];
        $path = '/events' . Query::write($this->filters + $position);
        return new Request('GET', $path, headers: ['accept' => 'text/event-stream'] + $headers);
    }

    /** Returns whether another attempt would fail in the same way. */
    private static function isFinal(SendwrightError $error): bool
    {
        $status = $error->statusCode;
        if ($status === null) {
            return $error->name === 'invalid_request';
        }
        return $status < 500 && $status !== 429;
    }

    /**
     * Reads Server-Sent Events (WHATWG HTML, section 9.2), as far as Sendwright uses them: one line for each field.
     *
     * @return \Generator<int, array<string, string>>
     */
    private static function readFrames(Response $response): \Generator
    {
        $text = '';
        foreach ($response->chunks() as $part) {
            $frames = explode("\n\n", $text . $part);
            $text = (string) array_pop($frames);
            foreach ($frames as $frame) {
                preg_match_all('/^(id|data): (.*)$/m', $frame, $lines);
                yield array_combine($lines[1], $lines[2]);
            }
        }
    }
}
