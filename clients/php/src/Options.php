<?php

declare(strict_types=1);

namespace Sendwright;

/** Options of a client. */
final class Options
{
    /**
     * @param float $timeout the limit on each attempt, in seconds
     * @param int $retries how often a call is repeated at most
     * @param float $retryAfterMax the longest `Retry-After` that a call waits for, in seconds
     * @param array<string, string> $headers headers of every request
     */
    public function __construct(
        #[\SensitiveParameter]
        public readonly string $apiKey,
        public readonly string $baseUrl,
        public readonly float $timeout = 30.0,
        public readonly int $retries = 3,
        public readonly float $retryAfterMax = 60.0,
        public readonly array $headers = [],
    ) {
    }

    /** Returns options of which some differ. */
    public function with(?float $timeout, ?int $retries, ?float $retryAfterMax, ?array $headers): self
    {
        return new self(
            $this->apiKey,
            $this->baseUrl,
            $timeout ?? $this->timeout,
            $retries ?? $this->retries,
            $retryAfterMax ?? $this->retryAfterMax,
            $headers ?? $this->headers,
        );
    }

    /** The key is secret: `var_dump` does not print it. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }
}
