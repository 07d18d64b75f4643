<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright\Resources;

use Sendwright\ListCall;
use Sendwright\Resource;
use Sendwright\Types;

/**
 * Sends emails and follows their delivery.
 *
 * @phpstan-import-type AcceptedEmail from Types
 * @phpstan-import-type AddressValidation from Types
 * @phpstan-import-type Attempt from Types
 * @phpstan-import-type AttemptList from Types
 * @phpstan-import-type BatchResult from Types
 * @phpstan-import-type Email from Types
 * @phpstan-import-type EmailAttachment from Types
 * @phpstan-import-type EmailAttachmentList from Types
 * @phpstan-import-type EmailMetrics from Types
 * @phpstan-import-type EmailRef from Types
 * @phpstan-import-type EmailSummary from Types
 * @phpstan-import-type EmailSummaryList from Types
 * @phpstan-import-type RescheduleEmailRequest from Types
 * @phpstan-import-type ResendEmailRequest from Types
 * @phpstan-import-type SendEmailRequest from Types
 * @phpstan-import-type SendMimeEmailRequest from Types
 * @phpstan-import-type ShareEmailRequest from Types
 * @phpstan-import-type SharedEmail from Types
 * @phpstan-import-type ValidateAddressRequest from Types
 */
final class Emails extends Resource
{
    /**
     * Sends an email. Retries share one idempotency key, so they never send it twice.
     *
     * @param SendEmailRequest $body
     * @return AcceptedEmail
     */
    public function send(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/emails', body: $body, key: $idempotencyKey, isKeyed: true);
    }

    /**
     * Sends up to 100 emails in one request. With `validation: 'permissive'`, valid emails are sent and
     * `errors` names the others; by default one invalid email rejects all.
     *
     * @param list<SendEmailRequest> $body
     * @return BatchResult
     */
    public function sendBatch(array $body, ?string $validation = null, ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST',
            '/emails/batch',
            body: $body,
            key: $idempotencyKey,
            isKeyed: true,
            headers: ['x-batch-validation' => $validation],
        );
    }

    /**
     * Sends a complete MIME message to one recipient.
     *
     * @param SendMimeEmailRequest $body
     * @return AcceptedEmail
     */
    public function sendMime(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/emails/mime', body: $body, key: $idempotencyKey, isKeyed: true);
    }

    /**
     * Sends an email again, as a new email.
     *
     * @param ResendEmailRequest $body
     * @return AcceptedEmail
     */
    public function resend(string $id, array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST',
            '/emails/{id}/resend',
            ids: [$id],
            body: $body,
            key: $idempotencyKey,
            isKeyed: true,
        );
    }

    /**
     * Returns the message as sent, with its DKIM signatures.
     */
    public function raw(string $id): string
    {
        return $this->bytes('/emails/{id}/raw', ids: [$id]);
    }

    /**
     * Lists the attachments of an email, with links to download them.
     *
     * @return ListCall<EmailAttachmentList, EmailAttachment>
     */
    public function attachments(
        string $id,
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
    ): ListCall
    {
        return $this->page(
            '/emails/{id}/attachments',
            ids: [$id],
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
            ],
        );
    }

    /**
     * Returns a public link to an email that expires after 48 hours or `expires_in`.
     *
     * @param ShareEmailRequest $body
     * @return SharedEmail
     */
    public function share(string $id, array $body = []): array
    {
        return $this->call('POST', '/emails/{id}/share', ids: [$id], body: $body, isSafe: true);
    }

    /**
     * Returns the content of an attachment, by its index in the email.
     */
    public function attachment(string $id, int $index): string
    {
        return $this->bytes('/emails/{id}/attachments/{index}', ids: [$id, $index]);
    }

    /**
     * Lists emails, newest first.
     *
     * @return ListCall<EmailSummaryList, EmailSummary>
     */
    public function list(
        ?int $page = null,
        ?int $per_page = null,
        ?int $limit = null,
        ?string $after = null,
        ?string $before = null,
        ?string $status = null,
        ?string $event = null,
        ?string $simulated = null,
        ?string $to = null,
        ?string $from = null,
        ?string $tag = null,
        ?string $tag_value = null,
        ?string $domain_id = null,
        ?string $template_id = null,
        ?string $start_date = null,
        ?string $end_date = null,
        ?string $class = null,
        ?string $q = null,
        ?string $search = null,
    ): ListCall
    {
        return $this->page(
            '/emails',
            query: [
                'page' => $page,
                'per_page' => $per_page,
                'limit' => $limit,
                'after' => $after,
                'before' => $before,
                'status' => $status,
                'event' => $event,
                'simulated' => $simulated,
                'to' => $to,
                'from' => $from,
                'tag' => $tag,
                'tag_value' => $tag_value,
                'domain_id' => $domain_id,
                'template_id' => $template_id,
                'start_date' => $start_date,
                'end_date' => $end_date,
                'class' => $class,
                'q' => $q,
                'search' => $search,
            ],
        );
    }

    /**
     * Returns an email with its content, the status of each recipient, and its events.
     *
     * @return Email
     */
    public function get(string $id): array
    {
        return $this->call('GET', '/emails/{id}', ids: [$id]);
    }

    /**
     * Moves a scheduled email to another time.
     *
     * @param RescheduleEmailRequest $body
     * @return EmailRef
     */
    public function reschedule(string $id, array $body): array
    {
        return $this->call('PATCH', '/emails/{id}', ids: [$id], body: $body);
    }

    /**
     * Cancels a scheduled email.
     *
     * @return EmailRef
     */
    public function cancel(string $id): array
    {
        return $this->call('POST', '/emails/{id}/cancel', ids: [$id]);
    }

    /**
     * Lists the delivery attempts of an email with their SMTP transcripts.
     *
     * @return ListCall<AttemptList, Attempt>
     */
    public function attempts(string $id): ListCall
    {
        return $this->page('/emails/{id}/attempts', ids: [$id]);
    }

    /**
     * Checks whether an address can receive email.
     *
     * @param ValidateAddressRequest $body
     * @return AddressValidation
     */
    public function validate(array $body): array
    {
        return $this->call('POST', '/emails/validate', body: $body, isSafe: true);
    }

    /**
     * Returns counts and rates by hour or day.
     *
     * @return EmailMetrics
     */
    public function metrics(
        ?string $start_date = null,
        ?string $end_date = null,
        ?string $interval = null,
        ?string $time_zone = null,
        ?string $include_simulated = null,
        ?string $group_by = null,
        ?int $limit = null,
        ?string $domain_id = null,
        ?string $tag = null,
        ?string $tag_value = null,
        ?string $template_id = null,
        ?string $from = null,
        ?string $provider = null,
        ?string $reason = null,
    ): array
    {
        return $this->call(
            'GET',
            '/emails/metrics',
            query: [
                'start_date' => $start_date,
                'end_date' => $end_date,
                'interval' => $interval,
                'time_zone' => $time_zone,
                'include_simulated' => $include_simulated,
                'group_by' => $group_by,
                'limit' => $limit,
                'domain_id' => $domain_id,
                'tag' => $tag,
                'tag_value' => $tag_value,
                'template_id' => $template_id,
                'from' => $from,
                'provider' => $provider,
                'reason' => $reason,
            ],
        );
    }
}
