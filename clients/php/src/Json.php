<?php

declare(strict_types=1);

namespace Sendwright;

/** Bodies of requests and responses. */
final class Json
{
    /**
     * Returns JSON. Times become ISO 8601. Throws SendwrightError.
     *
     * @param array<mixed> $body
     */
    public static function encode(array $body): string
    {
        try {
            $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;
            return $body === [] ? '{}' : json_encode(self::withTimes($body), $flags);
        } catch (\JsonException $cause) {
            throw new SendwrightError('invalid_request', $cause->getMessage(), previous: $cause);
        }
    }

    /**
     * Returns the body of a response. Throws SendwrightError.
     *
     * @return array<mixed>
     */
    public static function read(Response $response): array
    {
        $body = json_decode($response->read(), true);
        if (!is_array($body)) {
            $message = 'The response is not JSON. Is baseUrl the URL of a Sendwright server?';
            $key = $response->request->idempotencyKey;
            throw new SendwrightError('invalid_response', $message, idempotencyKey: $key);
        }
        return $body;
    }

    private static function withTimes(mixed $value): mixed
    {
        if ($value instanceof \DateTimeInterface) {
            return $value->format(\DateTimeInterface::RFC3339_EXTENDED);
        }
        return is_array($value) ? array_map(self::withTimes(...), $value) : $value;
    }
}
