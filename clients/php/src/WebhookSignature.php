<?php

declare(strict_types=1);

namespace Sendwright;

/**
 * Signatures of webhooks (Standard Webhooks 1.0).
 *
 * @phpstan-import-type WebhookEvent from Types
 */
final class WebhookSignature
{
    public const TOLERANCE_SECONDS = 300.0;

    /**
     * Verifies the signature of a webhook and returns its event. Pass the body exactly as it arrived. Throws
     * SendwrightError, `invalid_signature`. Needs no client.
     *
     * @param array<string, string|list<string>> $headers
     * @return WebhookEvent
     */
    public static function verify(
        string $payload,
        array $headers,
        #[\SensitiveParameter]
        string $secret,
        float $toleranceSeconds = self::TOLERANCE_SECONDS,
    ): array {
        $given = array_change_key_case($headers);
        $read = static function (string $name) use ($given): string {
            $value = $given["webhook-{$name}"] ?? $given["svix-{$name}"] ?? '';
            return is_array($value) ? (string) ($value[0] ?? '') : (string) $value;
        };
        [$id, $timestamp, $signatures] = [$read('id'), $read('timestamp'), $read('signature')];
        if ($id === '' || $timestamp === '' || $signatures === '') {
            throw self::invalid('The request has no webhook signature.');
        }
        if (!is_numeric($timestamp) || abs(microtime(true) - (float) $timestamp) > $toleranceSeconds) {
            throw self::invalid('The timestamp is too old or in the future.');
        }
        $expected = hash_hmac('sha256', "{$id}.{$timestamp}.{$payload}", self::readSecret($secret), true);
        foreach (explode(' ', $signatures) as $signature) {
            if (self::isSignature($signature, $expected)) {
                return json_decode($payload, true);
            }
        }
        throw self::invalid('The signature does not match this request and secret.');
    }

    private static function readSecret(#[\SensitiveParameter] string $secret): string
    {
        $key = base64_decode((string) preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            throw self::invalid('The secret is not valid: it must be whsec_ followed by Base64.');
        }
        return $key;
    }

    private static function isSignature(string $text, string $expected): bool
    {
        [$version, $value] = explode(',', $text, 2) + [1 => ''];
        $actual = $version === 'v1' ? base64_decode($value, true) : false;
        return $actual !== false && hash_equals($expected, $actual);
    }

    private static function invalid(string $message): SendwrightError
    {
        return new SendwrightError('invalid_signature', $message);
    }
}
