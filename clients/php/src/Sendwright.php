<?php

declare(strict_types=1);

namespace Sendwright;

/**
 * A client of one Sendwright server. Calls return arrays with the fields of the API, and throw SendwrightError.
 */
final class Sendwright extends Resources
{
    private readonly Transport $transport;

    /**
     * Without `apiKey` and `baseUrl`, the client reads the environment variables `SENDWRIGHT_API_KEY` and
     * `SENDWRIGHT_URL`. Times are seconds.
     *
     * @param float $timeout the limit on each attempt
     * @param int $retries how often a call is repeated at most
     * @param float $retryAfterMax the longest `Retry-After` that a call waits for
     * @param array<string, string> $headers headers of every request
     * @throws \InvalidArgumentException if the key or the URL is missing, or `headers` have an Idempotency-Key
     */
    public function __construct(
        #[\SensitiveParameter]
        ?string $apiKey = null,
        ?string $baseUrl = null,
        float $timeout = 30.0,
        int $retries = 3,
        float $retryAfterMax = 60.0,
        array $headers = [],
        ?Options $options = null,
    ) {
        if (array_key_exists('idempotency-key', array_change_key_case($headers))) {
            throw new \InvalidArgumentException(
                'An Idempotency-Key among the headers of a client would be the key of all its sends. '
                . 'Pass idempotencyKey to each send instead.',
            );
        }
        $this->transport = new Transport($options ?? new Options(
            self::read($apiKey, 'apiKey', 'SENDWRIGHT_API_KEY'),
            self::read($baseUrl, 'baseUrl', 'SENDWRIGHT_URL'),
            $timeout,
            $retries,
            $retryAfterMax,
            $headers,
        ));
        parent::__construct($this->transport);
    }

    /**
     * Returns a client with other options: `$client->withOptions(retries: 0)->emails->send(...)`.
     *
     * @param ?array<string, string> $headers instead of those of this client; may have the Idempotency-Key of one send
     */
    public function withOptions(
        ?float $timeout = null,
        ?int $retries = null,
        ?float $retryAfterMax = null,
        ?array $headers = null,
    ): self {
        return new self(options: $this->transport->options->with($timeout, $retries, $retryAfterMax, $headers));
    }

    private static function read(?string $given, string $name, string $variable): string
    {
        $value = $given ?? (getenv($variable) ?: '');
        if ($value === '') {
            throw new \InvalidArgumentException("Pass {$name}, or set {$variable}.");
        }
        return $value;
    }
}
