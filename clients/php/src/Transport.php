<?php

declare(strict_types=1);

namespace Sendwright;

/** Makes requests, and repeats those that may run twice. */
final class Transport
{
    private const FIRST_DELAY_SECONDS = 0.5;
    private const DELAY_MAX_SECONDS = 8.0;

    public function __construct(public readonly Options $options)
    {
    }

    /**
     * Returns what `$read` makes of the response.
     *
     * @template T
     * @param callable(Response): T $read
     * @param ?float $silenceMax for a body of any length: how long it may be silent, instead of a limit on the whole
     * @return T
     */
    public function request(Request $request, callable $read, ?float $silenceMax = null): mixed
    {
        for ($attempt = 0; ; $attempt++) {
            try {
                return $read($this->open($request, $silenceMax));
            } catch (SendwrightError $error) {
                $delay = self::readDelay($error, $request, $attempt, $this->options->retryAfterMax);
                if ($delay === null || $attempt >= $this->options->retries) {
                    throw $error;
                }
                usleep((int) ($delay * 1_000_000));
            }
        }
    }

    /** Makes one attempt. Throws SendwrightError unless the response is a success. */
    public function open(Request $request, ?float $silenceMax = null): Response
    {
        $response = new Response($this->options, $request, $silenceMax);
        if ($response->status < 200 || $response->status > 299) {
            throw ErrorReader::read($response, $request);
        }
        return $response;
    }

    /** Half of the delay is random, so that clients that failed together do not return together. */
    public static function backoff(int $attempt, float $delayMax): float
    {
        $delay = min($delayMax, self::FIRST_DELAY_SECONDS * 2 ** min($attempt, 16));
        return $delay * (0.5 + random_int(0, 1_000_000) / 2_000_000);
    }

    /** Returns how long to wait before the next attempt; null if there must be none. */
    private static function readDelay(
        SendwrightError $error,
        Request $request,
        int $attempt,
        float $retryAfterMax,
    ): ?float {
        $retryAfter = $error->retryAfterSeconds ?? 0.0;
        if ($retryAfter > $retryAfterMax || !self::mayRepeat($error, $request)) {
            return null;
        }
        return max(self::backoff($attempt, self::DELAY_MAX_SECONDS), $retryAfter);
    }

    /**
     * With 429 and 503, Sendwright has accepted nothing, or knows the request by its key. After any other failure
     * the request may have been processed, and only one that may run twice is repeated.
     */
    private static function mayRepeat(SendwrightError $error, Request $request): bool
    {
        if ($error->statusCode === 429 || $error->name === 'service_unavailable') {
            return true;
        }
        // The previous attempt of this call is still being processed.
        if ($error->name === 'concurrent_idempotent_requests') {
            return true;
        }
        $isOutage = $error->statusCode === null
            ? in_array($error->name, ['network_error', 'timeout'], true)
            : $error->statusCode >= 500;
        return $isOutage && $request->isRepeatable;
    }
}
