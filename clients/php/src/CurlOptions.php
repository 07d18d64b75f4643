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
            // Without a signal, which would end other work of the process.
            CURLOPT_NOSIGNAL => true,
        ] + self::limits($options, $silenceMax) + self::body($request->body);
    }

    /** @return array<int, mixed> */
    private static function limits(Options $options, ?float $silenceMax): array
    {
        if ($silenceMax === null) {
            return [CURLOPT_TIMEOUT_MS => (int) ceil($options->timeout * 1_000)];
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
        return [CURLOPT_UPLOAD => true, CURLOPT_INFILE => $body, CURLOPT_INFILESIZE => fstat($body)['size']];
    }

    /** @return list<string> */
    private static function headers(Options $options, Request $request): array
    {
        $headers = [
            'authorization' => "Bearer {$options->apiKey}",
            'user-agent' => 'sendwright-php/0.1.0',
            // Without this, cURL asks before it sends a large body, and waits a second.
            'expect' => '',
        ];
        if ($request->body !== null) {
            $headers['content-type'] = $request->contentType;
        }
        if ($request->idempotencyKey !== null) {
            $headers['idempotency-key'] = $request->idempotencyKey;
        }
        $all = array_merge($headers, $options->headers, $request->headers);
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
