<?php

declare(strict_types=1);

namespace Sendwright;

/** The base of all resources. */
abstract class Resource
{
    public function __construct(protected readonly Transport $transport)
    {
    }

    /**
     * @param list<string|int> $ids
     * @param array<string, mixed> $query
     * @param array<mixed>|null $body
     * @param string|resource|null $csv
     * @param array<string, ?string> $headers
     * @return array<mixed>
     */
    protected function call(
        string $method,
        string $path,
        array $ids = [],
        array $query = [],
        ?array $body = null,
        mixed $csv = null,
        ?string $key = null,
        array $headers = [],
        bool $isKeyed = false,
        bool $isSafe = false,
    ): array {
        $request = new Request(
            $method,
            self::fillPath($path, $ids) . Query::write($query),
            Upload::repeatable($csv) ?? ($body === null ? null : Json::encode($body)),
            $csv === null ? 'application/json' : 'text/csv',
            $isKeyed ? $this->chooseKey($key) : null,
            array_filter($headers, static fn (?string $value): bool => $value !== null),
            // The second DELETE of a record does not find it: the client would report a success as an error.
            !in_array($method, ['POST', 'DELETE'], true) || $isSafe || $isKeyed,
            // Only the event feed has `wait`.
            (float) ($query['wait'] ?? 0),
        );
        return $this->transport->request($request, static fn (Response $response): array => Json::read($response));
    }

    /**
     * @param list<string|int> $ids
     * @param array<string, mixed> $query
     */
    protected function page(string $path, array $ids = [], array $query = []): ListCall
    {
        return new ListCall(fn (array $given): array => $this->call('GET', $path, $ids, $given), $query);
    }

    /**
     * @param list<string|int> $ids
     * @param array<string, mixed> $query
     */
    protected function bytes(string $path, array $ids = [], array $query = []): string
    {
        $request = new Request('GET', self::fillPath($path, $ids) . Query::write($query));
        return $this->transport->request($request, static fn (Response $response): string => $response->read());
    }

    /**
     * Starts a download that may be larger than memory. The time limit covers its silence.
     *
     * @param list<string|int> $ids
     * @param array<string, mixed> $query
     */
    protected function download(string $path, array $ids = [], array $query = []): Download
    {
        $request = new Request('GET', self::fillPath($path, $ids) . Query::write($query));
        $silenceMax = $this->transport->options->timeout;
        return $this->transport->request(
            $request,
            static fn (Response $response): Download => new Download($response),
            $silenceMax,
        );
    }

    /**
     * Returns the key of all attempts of a call: the given one, that of the headers of `withOptions`, or a new one. A
     * blank key counts as absent: the server would take the call for one without a key.
     */
    private function chooseKey(?string $key): string
    {
        $shared = array_change_key_case($this->transport->options->headers)['idempotency-key'] ?? '';
        foreach ([$key ?? '', $shared] as $given) {
            if (trim((string) $given) !== '') {
                return (string) $given;
            }
        }
        return bin2hex(random_bytes(16));
    }

    /** @param list<string|int> $ids */
    private static function fillPath(string $path, array $ids): string
    {
        foreach ($ids as $id) {
            // `/emails/` and `/emails/..` would be other routes.
            if (in_array((string) $id, ['', '.', '..'], true)) {
                throw new SendwrightError('invalid_request', "The id \"{$id}\" is not valid.");
            }
            $path = (string) preg_replace_callback(
                '/\{\w+\}/',
                static fn (): string => rawurlencode((string) $id),
                $path,
                1,
            );
        }
        return $path;
    }
}
