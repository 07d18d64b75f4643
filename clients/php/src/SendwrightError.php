<?php

declare(strict_types=1);

namespace Sendwright;

/**
 * The error of a call. `$name` is a name of the API, such as `validation_error`, or one of this package:
 * `network_error`, `timeout`, `invalid_response`, `invalid_request`, `invalid_signature`.
 */
final class SendwrightError extends \RuntimeException
{
    /**
     * @param ?int $statusCode the status of the response; null if there was none
     * @param array<string, list<string>> $errors the messages for each field of the request, by its dotted path
     * @param ?string $requestId the `x-request-id` of the response, which the server's logs have too
     * @param ?float $retryAfterSeconds the seconds after which the server accepts another request
     * @param ?string $idempotencyKey the key of a send: send the same email with it again, and it is delivered at
     *   most once
     */
    public function __construct(
        public readonly string $name,
        string $message,
        public readonly ?int $statusCode = null,
        public readonly array $errors = [],
        public readonly ?string $requestId = null,
        public readonly ?float $retryAfterSeconds = null,
        public readonly ?string $idempotencyKey = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, $statusCode ?? 0, $previous);
    }
}
