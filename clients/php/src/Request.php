<?php

declare(strict_types=1);

namespace Sendwright;

/** A request of the API. */
final class Request
{
    /**
     * @param string $path the path with its query, from the first slash
     * @param string|resource|null $body
     * @param ?string $idempotencyKey the key of a send; null for other requests
     * @param array<string, string> $headers
     * @param bool $isRepeatable whether it may run twice, so that it is repeated after a lost response
     * @param float $wait how long the server may wait before it responds, in seconds, in addition to the timeout
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly mixed $body = null,
        public readonly string $contentType = 'application/json',
        public readonly ?string $idempotencyKey = null,
        public readonly array $headers = [],
        public readonly bool $isRepeatable = true,
        public readonly float $wait = 0.0,
    ) {
    }
}
