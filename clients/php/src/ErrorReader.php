<?php

declare(strict_types=1);

namespace Sendwright;

/** Makes errors of responses and of failed requests. */
final class ErrorReader
{
    /** Returns the error of a response that is not a success. */
    public static function read(Response $response, Request $request): SendwrightError
    {
        $body = json_decode($response->read(), true);
        $fields = is_array($body) ? $body : [];
        $isOurs = is_string($fields['name'] ?? null) && is_string($fields['message'] ?? null);
        return new SendwrightError(
            $isOurs ? $fields['name'] : 'invalid_response',
            $isOurs ? $fields['message'] : "The server responded with status {$response->status}.",
            $response->status,
            is_array($fields['errors'] ?? null) ? $fields['errors'] : [],
            $response->headers['x-request-id'] ?? null,
            self::readRetryAfter($response->headers['retry-after'] ?? null),
            $request->idempotencyKey,
        );
    }

    /** Returns the error of an attempt without a complete response. */
    public static function explain(int $code, string $message, float $timeout, ?string $key): SendwrightError
    {
        if ($code === CURLE_OPERATION_TIMEDOUT) {
            $text = "The server did not respond within {$timeout} seconds.";
            return new SendwrightError('timeout', $text, idempotencyKey: $key);
        }
        return new SendwrightError('network_error', "The request failed: {$message}", idempotencyKey: $key);
    }

    /** Reads seconds or an HTTP date (RFC 9110 section 10.2.3). */
    private static function readRetryAfter(?string $value): ?float
    {
        if ($value === null) {
            return null;
        }
        if (ctype_digit(trim($value))) {
            return (float) trim($value);
        }
        $time = strtotime($value);
        return $time === false ? null : max(0.0, $time - microtime(true));
    }
}
