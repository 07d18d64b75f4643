<?php

declare(strict_types=1);

namespace Sendwright;

/**
 * Methods of webhooks that the API's document does not describe.
 *
 * @phpstan-import-type WebhookEvent from Types
 */
trait VerifiesWebhooks
{
    /**
     * Verifies the signature of a webhook and returns its event. Pass the body exactly as it arrived
     * (`file_get_contents('php://input')`), and the headers of the request (`getallheaders()`, or those of a PSR-7
     * request). Throws SendwrightError, `invalid_signature`.
     *
     * @param array<string, string|list<string>> $headers
     * @return WebhookEvent
     */
    public function verify(
        string $payload,
        array $headers,
        #[\SensitiveParameter]
        string $secret,
        float $toleranceSeconds = WebhookSignature::TOLERANCE_SECONDS,
    ): array {
        return WebhookSignature::verify($payload, $headers, $secret, $toleranceSeconds);
    }
}
