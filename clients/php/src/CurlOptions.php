<?php

declare(strict_types=1);

namespace Sendwright;

/** Translates a request into options of cURL. */
final class CurlOptions
{
    /**
     * Throws SendwrightError for a header with a line break or a NUL character.
     *
     * @param ?float $silenceMax for a stream: how long it may be silent, instead of a limit on the whole
     * @return array<int, mixed>
     */
    public static function of(Options $options, Request $request, ?float $silenceMax): array
    {
        return [
            CURLOPT_URL => rtrim($options->baseUrl, '/') . $request->path,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => self::headers($options, $request),
            // A redirect would turn a POST into a GET.
            CURLOPT_FOLLOWLOCATION => false,
            // The response of a proxy to CONNECT would be taken for that of the server.
            CURLOPT_SUPPRESS_CONNECT_HEADERS => true,
            // Without a signal, which would end other work of the process.
            CURLOPT_NOSIGNAL => true,
        ] + self::limits($options, $request, $silenceMax) + self::body($request->body);
    }

    /** @return array<int, mixed> */
    private static function limits(Options $options, Request $request, ?float $silenceMax): array
    {
        if ($silenceMax === null) {
            return [CURLOPT_TIMEOUT_MS => (int) ceil(($options->timeout + $request->wait) * 1_000)];
        }
        return [CURLOPT_CONNECTTIMEOUT_MS => (int) ceil(min($options->timeout, $silenceMax) * 1_000)];
    }

    /**
     * @param string|resource|null $body
     * @return array<int, mixed>
     */
    private static function body(mixed $body): array
    {
        if ($body === null) {
            return [];
        }
        if (is_string($body)) {
            return [CURLOPT_POSTFIELDS => $body];
        }
        rewind($body);
        return [
            CURLOPT_UPLOAD => true,
            CURLOPT_INFILESIZE => fstat($body)['size'],
            // CURLOPT_INFILE would read through another buffer, which `rewind` does not reset.
            CURLOPT_READFUNCTION => static fn ($curl, $file, int $length): string => (string) fread($body, $length),
        ];
    }

    /** @return list<string> */
    private static function headers(Options $options, Request $request): array
    {
        $defaults = [
            'authorization' => "Bearer {$options->apiKey}",
            'user-agent' => 'sendwright-php/0.1.0',
            // Without this, cURL asks before it sends a large body, and waits a second.
            'expect' => '',
        ];
        $own = $request->body === null ? [] : ['content-type' => $request->contentType];
        $key = $request->idempotencyKey === null ? [] : ['idempotency-key' => $request->idempotencyKey];
        $parts = [$defaults, $options->headers, $own, $request->headers, $key];
        // Where several headers have the same name, the last one counts.
        $all = array_merge(...array_map(array_change_key_case(...), $parts));
        return array_map(self::header(...), array_keys($all), $all);
    }

    /** Throws SendwrightError: cURL would send a line break in a value as the start of another header. */
    private static function header(string|int $name, mixed $value): string
    {
        if (preg_match('/[\r\n\0]/', $name . $value) === 1) {
            $message = 'The header ' . json_encode($name) . ' has a line break or a NUL character.';
            throw new SendwrightError('invalid_request', $message);
        }
        return "{$name}: {$value}";
    }
}
