<?php

declare(strict_types=1);

namespace Sendwright\Testing;

use Sendwright\Sendwright;
use Sendwright\SendwrightError;
use Sendwright\Types;

/**
 * The messages that a server in capture mode stored since a moment, for tests of applications. A condition is a text
 * that must be equal, without regard to case, or a pattern between slashes: `/^Code \d+$/`.
 *
 * @phpstan-import-type CapturedEmail from Types
 * @phpstan-import-type CapturedEmailSummary from Types
 */
final class Inbox
{
    private const POLL_MICROSECONDS = 100_000;
    private const PAGE_SIZE = 100;

    /** @var array<string, true> */
    private array $taken = [];

    /** @param ?string $start the newest message before the inbox was opened */
    private function __construct(private readonly Sendwright $client, private readonly ?string $start)
    {
    }

    /** Returns an inbox of the messages that the server stores from now on. Throws SendwrightError. */
    public static function open(Sendwright $client): self
    {
        return new self($client, $client->captured->list(limit: 1)->page()['data'][0]['id'] ?? null);
    }

    /**
     * Returns the messages since the inbox was opened, oldest first.
     *
     * @return list<CapturedEmailSummary>
     */
    public function messages(?string $to = null, ?string $from = null, ?string $subject = null): array
    {
        $found = [];
        foreach ($this->client->captured->list(limit: self::PAGE_SIZE) as $message) {
            // Ids of version 7 sort by time.
            if ($this->start !== null && strcmp($message['id'], $this->start) <= 0) {
                break;
            }
            $isMatch = self::fits($to, [$message['envelope_to']])
                && self::fits($from, array_column($message['from'], 'address'))
                && self::fits($subject, [$message['subject'] ?? '']);
            if ($isMatch) {
                array_unshift($found, $message);
            }
        }
        return $found;
    }

    /**
     * Returns the oldest matching message that no earlier call returned. Throws SendwrightError, `timeout`, if none
     * arrives in time. The error lists the messages that did arrive.
     *
     * @param float $timeout in seconds
     * @return CapturedEmail
     */
    public function waitFor(
        ?string $to = null,
        ?string $from = null,
        ?string $subject = null,
        float $timeout = 10.0,
    ): array {
        $until = microtime(true) + $timeout;
        while (true) {
            foreach ($this->messages($to, $from, $subject) as $message) {
                if (!isset($this->taken[$message['id']])) {
                    $this->taken[$message['id']] = true;
                    return $this->client->captured->get($message['id']);
                }
            }
            if (microtime(true) >= $until) {
                throw $this->explainTimeout(['to' => $to, 'from' => $from, 'subject' => $subject], $timeout);
            }
            usleep(self::POLL_MICROSECONDS);
        }
    }

    /** @param array<string, ?string> $wanted */
    private function explainTimeout(array $wanted, float $timeout): SendwrightError
    {
        $arrived = array_map(
            static fn (array $message): string => "{$message['envelope_to']} \"{$message['subject']}\"",
            $this->messages(),
        );
        $given = array_filter($wanted, static fn (?string $value): bool => $value !== null);
        $asked = array_map(static fn ($name, $value): string => "{$name} {$value}", array_keys($given), $given);
        return new SendwrightError('timeout', sprintf(
            'No message with %s arrived within %s seconds. %s',
            implode(', ', $asked) ?: 'any content',
            $timeout,
            $arrived === [] ? 'Nothing arrived.' : 'These arrived: ' . implode(', ', $arrived) . '.',
        ));
    }

    /** @param list<string> $values */
    private static function fits(?string $wanted, array $values): bool
    {
        if ($wanted === null) {
            return true;
        }
        foreach ($values as $value) {
            $isMatch = preg_match('~^/.*/[a-z]*$~s', $wanted) === 1
                ? preg_match($wanted, $value) === 1
                : strtolower($value) === strtolower($wanted);
            if ($isMatch) {
                return true;
            }
        }
        return false;
    }
}
