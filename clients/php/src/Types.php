<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright;

/**
 * The objects of the API, as arrays with these keys. For PHPStan and Psalm:
 * `@phpstan-import-type Email from \Sendwright\Types`.
 *
 * @phpstan-type AcceptedEmail array{
 *   id: string,
 * }
 *
 * @phpstan-type AddContactToListsRequest array{
 *   list_ids: list<string>,
 * }
 *
 * @phpstan-type AddressEvaluations array{
 *   has_valid_syntax: bool,
 *   has_valid_dns: bool|null,
 *   mailbox_exists: bool|null,
 *   is_role_address: bool,
 *   is_disposable: bool,
 *   is_random_input: bool,
 * }
 *
 * @phpstan-type AddressValidation array{
 *   email: string,
 *   is_valid: bool,
 *   evaluations: AddressEvaluations,
 *   should_block: bool,
 *   block_reason: 'invalid_syntax'|'invalid'|'disposable_email'|null,
 *   validated_at: string,
 *   verdict: 'deliverable'|'risky'|'undeliverable'|'unknown',
 *   did_you_mean: string|null,
 *   has_known_bounce: bool,
 *   is_free_provider: bool,
 * }
 *
 * @phpstan-type AdvisedRecord array{
 *   type: 'A'|'AAAA'|'MX'|'TXT'|'PTR',
 *   name: string,
 *   value: string,
 * }
 *
 * @phpstan-type Alert array{
 *   object: 'attention_item',
 *   kind: 'sending_paused'|'campaign_paused'|'automation_paused'|'automation_failing'|'quota_month'|'quota_day'|'domain_unverified'|'domain_failing'|'site_paused'|'webhook_disabled'|'webhook_failing'|'email_waiting'|'bounce_rate'|'complaint_rate'|'api_key_expiring',
 *   severity: 'info'|'warning'|'critical',
 *   message: string,
 *   subject: AlertSubject|null,
 *   since: string|null,
 * }
 *
 * @phpstan-type AlertList array{
 *   object: 'list',
 *   data: list<Alert>,
 * }
 *
 * @phpstan-type AlertSubject array{
 *   type: string,
 *   id: string|null,
 *   name: string,
 * }
 *
 * @phpstan-type ApiKey array{
 *   object: 'api_key',
 *   id: string,
 *   name: string,
 *   permission: 'full'|'send',
 *   domain_id: string|null,
 *   status: 'active'|'expired'|'revoked',
 *   prefix: string,
 *   expires_at: string|null,
 *   last_used_at: string|null,
 *   created_at: string,
 * }
 *
 * @phpstan-type ApiKeyList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<ApiKey>,
 * }
 *
 * @phpstan-type ApiKeyWithToken array{
 *   object: 'api_key',
 *   id: string,
 *   name: string,
 *   permission: 'full'|'send',
 *   domain_id: string|null,
 *   status: 'active'|'expired'|'revoked',
 *   prefix: string,
 *   expires_at: string|null,
 *   last_used_at: string|null,
 *   created_at: string,
 *   token: string,
 * }
 *
 * @phpstan-type AttachmentInput array{
 *   filename?: string|null,
 *   content?: string|AttachmentInputContent1|null,
 *   path?: string|null,
 *   content_type?: string|null,
 *   content_id?: string|null,
 * }
 *
 * @phpstan-type AttachmentInputContent1 array{
 *   type: 'Buffer',
 *   data: list<mixed>,
 * }
 *
 * @phpstan-type AttachmentSummary array{
 *   filename: string,
 *   content_type: string,
 *   content_id: string|null,
 *   size: int,
 * }
 *
 * @phpstan-type Attempt array{
 *   recipient: string,
 *   attempt: int,
 *   started_at: string,
 *   duration_ms: int,
 *   outcome: string,
 *   category: string,
 *   advice: string|null,
 *   smtp_code: int|null,
 *   enhanced_code: string|null,
 *   response: string|null,
 *   mx_host: string|null,
 *   mx_address: string|null,
 *   source_address: string|null,
 *   tls: string|null,
 *   conversation: list<AttemptConversation>,
 * }
 *
 * @phpstan-type AttemptConversation array{
 *   at_ms: int,
 *   who: 'client'|'server'|'note',
 *   text: string,
 * }
 *
 * @phpstan-type AttemptList array{
 *   object: 'list',
 *   data: list<Attempt>,
 * }
 *
 * @phpstan-type Audience array{
 *   include: list<AudienceInclude>,
 *   exclude: list<AudienceExclude>,
 * }
 *
 * @phpstan-type AudienceExclude array{
 *   list_id?: string,
 *   segment_id?: string,
 * }
 *
 * @phpstan-type AudienceInclude array{
 *   list_id?: string,
 *   segment_id?: string,
 * }
 *
 * @phpstan-type AudienceInput array{
 *   include?: list<AudienceInputInclude>|null,
 *   exclude?: list<AudienceInputExclude>|null,
 * }
 *
 * @phpstan-type AudienceInputExclude array{
 *   list_id?: string|null,
 *   segment_id?: string|null,
 * }
 *
 * @phpstan-type AudienceInputInclude array{
 *   list_id?: string|null,
 *   segment_id?: string|null,
 * }
 *
 * @phpstan-type AuditEntry array{
 *   object: 'audit_entry',
 *   id: string,
 *   actor: AuditEntryActor,
 *   action: string,
 *   target_id: string|null,
 *   fields: list<string>,
 *   ip_address: string|null,
 *   user_agent: string|null,
 *   request_id: string|null,
 *   created_at: string,
 * }
 *
 * @phpstan-type AuditEntryActor array{
 *   type: string,
 *   id: string|null,
 *   name: string|null,
 * }
 *
 * @phpstan-type AuditEntryList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<AuditEntry>,
 * }
 *
 * @phpstan-type Automation array{
 *   object: 'automation',
 *   id: string,
 *   name: string,
 *   status: 'draft'|'active'|'paused',
 *   paused_reason: 'upgraded'|'restored'|null,
 *   version: int,
 *   trigger: array<string, mixed>|null,
 *   steps: list<AutomationGraphStep>,
 *   connections: list<AutomationStoredConnection>,
 *   settings: AutomationStoredSettings,
 *   runs?: AutomationRuns,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type AutomationConnection array{
 *   from: string,
 *   to: string,
 *   type?: 'default'|'condition_met'|'condition_not_met'|'event_received'|'timeout'|'branch_1'|'branch_2'|'branch_3'|'branch_4'|'branch_5'|'branch_6'|'branch_7'|'branch_8'|'branch_9'|'branch_10'|null,
 * }
 *
 * @phpstan-type AutomationDryRun array{
 *   object: 'automation_dry_run',
 *   automation_id: string,
 *   steps: list<AutomationDryRunStep>,
 *   end: string,
 * }
 *
 * @phpstan-type AutomationDryRunStep array{
 *   key: string,
 *   type: string,
 *   at: string,
 *   decision: string,
 *   connection: string|null,
 * }
 *
 * @phpstan-type AutomationFigures array{
 *   object: 'automation_figures',
 *   automation_id: string,
 *   version: int,
 *   steps: list<AutomationFiguresStep>,
 * }
 *
 * @phpstan-type AutomationFiguresStep array{
 *   key: string,
 *   entered: int,
 *   waiting: int,
 *   done: int,
 *   skipped: int,
 *   failed: int,
 *   exited: int,
 *   delivered: int,
 *   bounced: int,
 *   complained: int,
 *   opened: int,
 *   clicked: int,
 * }
 *
 * @phpstan-type AutomationGraphStep array{
 *   key: string,
 *   type: string,
 *   config: array<string, mixed>,
 * }
 *
 * @phpstan-type AutomationList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<Automation>,
 * }
 *
 * @phpstan-type AutomationMove array{
 *   object: 'automation_move',
 *   automation_id: string,
 *   to_version: int,
 *   moved: int,
 *   left: int,
 * }
 *
 * @phpstan-type AutomationRun array{
 *   object: 'automation_run',
 *   id: string,
 *   automation_id: string,
 *   version: int,
 *   contact_id: string,
 *   email: string|null,
 *   status: 'running'|'completed'|'failed'|'cancelled',
 *   outcome: 'completed'|'goal'|'exited'|'failed'|'canceled'|null,
 *   reason: string|null,
 *   step: string,
 *   due_at: string|null,
 *   awaits: string|null,
 *   is_held: bool,
 *   started_at: string,
 *   completed_at: string|null,
 *   created_at: string,
 * }
 *
 * @phpstan-type AutomationRunList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<AutomationRun>,
 * }
 *
 * @phpstan-type AutomationRunStep array{
 *   key: string,
 *   type: string,
 *   status: 'completed'|'failed'|'skipped'|'waiting'|'running',
 *   output: array<string, mixed>|null,
 *   error: array<string, mixed>|null,
 *   email_id: string|null,
 *   started_at: string|null,
 *   completed_at: string|null,
 *   created_at: string,
 * }
 *
 * @phpstan-type AutomationRunTrail array{
 *   object: 'automation_run',
 *   id: string,
 *   automation_id: string,
 *   version: int,
 *   contact_id: string,
 *   email: string|null,
 *   status: 'running'|'completed'|'failed'|'cancelled',
 *   outcome: 'completed'|'goal'|'exited'|'failed'|'canceled'|null,
 *   reason: string|null,
 *   step: string,
 *   due_at: string|null,
 *   awaits: string|null,
 *   is_held: bool,
 *   started_at: string,
 *   completed_at: string|null,
 *   created_at: string,
 *   trigger: AutomationRunTrailTrigger,
 *   payload: array<string, mixed>,
 *   steps: list<AutomationRunStep>,
 * }
 *
 * @phpstan-type AutomationRunTrailTrigger array{
 *   type: string,
 *   event_id?: string,
 *   automation_id?: string,
 * }
 *
 * @phpstan-type AutomationRuns array{
 *   running: int,
 *   failed: int,
 * }
 *
 * @phpstan-type AutomationSettings array{
 *   reentry?: 'once'|'after_exit'|'every_time'|null,
 *   reentry_gap?: string|int|float|null,
 *   on_retrigger?: 'keep'|'restart'|null,
 *   exits?: list<array<string, mixed>>|null,
 *   max_late?: string|int|float|null,
 *   resume_rate?: int|null,
 * }
 *
 * @phpstan-type AutomationStepInput array{
 *   key?: string|null,
 *   type: string,
 *   config?: array<string, mixed>|null,
 * }
 *
 * @phpstan-type AutomationStoredConnection array{
 *   from: string,
 *   to: string,
 *   type: 'default'|'condition_met'|'condition_not_met'|'event_received'|'timeout'|'branch_1'|'branch_2'|'branch_3'|'branch_4'|'branch_5'|'branch_6'|'branch_7'|'branch_8'|'branch_9'|'branch_10',
 * }
 *
 * @phpstan-type AutomationStoredSettings array{
 *   reentry?: 'once'|'after_exit'|'every_time',
 *   reentry_gap?: string|int|float|null,
 *   on_retrigger?: 'keep'|'restart',
 *   exits?: list<array<string, mixed>>,
 *   max_late?: string|int|float|null,
 *   resume_rate?: int,
 * }
 *
 * @phpstan-type AutomationTrigger array{
 *   type: string,
 * }
 *
 * @phpstan-type AutomationVersion array{
 *   object: 'automation_version',
 *   automation_id: string,
 *   version: int,
 *   steps: list<AutomationGraphStep>,
 *   connections: list<AutomationStoredConnection>,
 *   settings: AutomationStoredSettings,
 *   waiting: int,
 *   created_at: string,
 * }
 *
 * @phpstan-type BatchResult array{
 *   data: list<AcceptedEmail>,
 *   errors?: list<BatchResultError>,
 * }
 *
 * @phpstan-type BatchResultError array{
 *   index: int,
 *   message: string,
 * }
 *
 * @phpstan-type Broadcast array{
 *   object: 'broadcast',
 *   id: string,
 *   name: string,
 *   segment_id: string|null,
 *   audience_id: string|null,
 *   status: 'draft'|'queued'|'sent',
 *   created_at: string,
 *   scheduled_at: string|null,
 *   sent_at: string|null,
 *   from: string|null,
 *   subject: string|null,
 *   reply_to: list<string>|null,
 *   preview_text: string|null,
 *   topic_id: null,
 *   html: string|null,
 *   text: string|null,
 * }
 *
 * @phpstan-type BroadcastId array{
 *   object: 'broadcast',
 *   id: string,
 * }
 *
 * @phpstan-type BroadcastLink array{
 *   id: string,
 *   url: string,
 *   clicks: int,
 *   unique_clicks: int,
 * }
 *
 * @phpstan-type BroadcastLinkList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<BroadcastLink>,
 * }
 *
 * @phpstan-type BroadcastRecipient array{
 *   id: string,
 *   contact_id: string|null,
 *   email: string,
 *   count?: int,
 *   clicked_links?: list<BroadcastRecipientClickedLink>,
 *   bounce_type?: 'permanent'|'transient'|'undetermined',
 * }
 *
 * @phpstan-type BroadcastRecipientClickedLink array{
 *   url: string,
 *   clicks: int,
 * }
 *
 * @phpstan-type BroadcastRecipientList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<BroadcastRecipient>,
 * }
 *
 * @phpstan-type BroadcastSummary array{
 *   object: 'broadcast',
 *   id: string,
 *   name: string,
 *   segment_id: string|null,
 *   audience_id: string|null,
 *   status: 'draft'|'queued'|'sent',
 *   created_at: string,
 *   scheduled_at: string|null,
 *   sent_at: string|null,
 * }
 *
 * @phpstan-type BroadcastSummaryList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<BroadcastSummary>,
 * }
 *
 * @phpstan-type Campaign array{
 *   object: 'campaign',
 *   id: string,
 *   name: string,
 *   status: 'draft'|'scheduled'|'sending'|'paused'|'sent'|'canceled',
 *   sender_id: string|null,
 *   template_id: string|null,
 *   subject: string|null,
 *   preview_text: string|null,
 *   reply_to: string|null,
 *   segment_id: string|null,
 *   list_id: string|null,
 *   audience: Audience,
 *   scheduled_at: string|null,
 *   paused_reason: string|null,
 *   started_at: string|null,
 *   ended_at: string|null,
 *   rate_per_hour: int|null,
 *   send_window: SendWindow|null,
 *   recipients: CampaignRecipients,
 *   totals: CampaignCounts,
 *   created_at: string,
 *   updated_at: string,
 *   html: string|null,
 *   text: string|null,
 *   rate: int|null,
 *   estimated_end_at: string|null,
 *   waits_until: string|null,
 * }
 *
 * @phpstan-type CampaignAudience array{
 *   object: 'campaign_audience',
 *   count: int,
 *   unsubscribed: int,
 *   suppressed: int,
 *   is_estimated: bool,
 *   contacts: list<CampaignAudienceContact>,
 * }
 *
 * @phpstan-type CampaignAudienceContact array{
 *   id: string,
 *   email: string,
 *   first_name: string,
 *   last_name: string,
 * }
 *
 * @phpstan-type CampaignCanceledEvent array{
 *   type: 'campaign.canceled',
 *   created_at: string,
 *   data: CampaignEventData,
 * }
 *
 * @phpstan-type CampaignChecks array{
 *   object: 'campaign_checks',
 *   data: list<CampaignChecksData>,
 * }
 *
 * @phpstan-type CampaignChecksData array{
 *   code: 'incomplete'|'sending_paused'|'domain_unverified'|'empty_audience'|'missing_value'|'no_unsubscribe_link'|'html_too_large'|'link_not_absolute'|'preview_text_unused'|'placeholder',
 *   severity: 'error'|'warning',
 *   message: string,
 * }
 *
 * @phpstan-type CampaignCounts array{
 *   attempted: int,
 *   sent: int,
 *   delivered: int,
 *   bounced: int,
 *   bounced_hard: int,
 *   failed: int,
 *   rejected: int,
 *   suppressed: int,
 *   complained: int,
 *   opened: int,
 *   opened_unique: int,
 *   opened_machine: int,
 *   clicked: int,
 *   clicked_unique: int,
 *   clicked_machine: int,
 *   unsubscribed: int,
 * }
 *
 * @phpstan-type CampaignEstimate array{
 *   object: 'campaign_estimate',
 *   count: int,
 *   is_estimated: bool,
 *   begins_at: string,
 *   ends_at: string|null,
 * }
 *
 * @phpstan-type CampaignEventData array{
 *   id: string,
 *   name: string,
 * }
 *
 * @phpstan-type CampaignLink array{
 *   object: 'campaign_link',
 *   id: string,
 *   url: string|null,
 *   clicked: int,
 *   clicked_unique: int,
 *   clicked_machine: int,
 * }
 *
 * @phpstan-type CampaignLinkList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<CampaignLink>,
 * }
 *
 * @phpstan-type CampaignMetrics array{
 *   object: 'campaign_metrics',
 *   id: string,
 *   recipients: CampaignRecipients,
 *   totals: CampaignCounts,
 *   providers: list<CampaignMetricsProvider>,
 *   hours: list<CampaignMetricsHour>,
 * }
 *
 * @phpstan-type CampaignMetricsHour array{
 *   at: string,
 *   counts: CampaignCounts,
 * }
 *
 * @phpstan-type CampaignMetricsProvider array{
 *   provider: string,
 *   counts: CampaignCounts,
 * }
 *
 * @phpstan-type CampaignPausedEvent array{
 *   type: 'campaign.paused',
 *   created_at: string,
 *   data: CampaignPausedEventData,
 * }
 *
 * @phpstan-type CampaignPausedEventData array{
 *   id: string,
 *   name: string,
 *   reason: string,
 * }
 *
 * @phpstan-type CampaignPreview array{
 *   object: 'campaign_preview',
 *   from: string|null,
 *   reply_to: string|null,
 *   subject: string,
 *   html: string|null,
 *   text: string|null,
 *   missing: list<string>,
 *   warnings: list<TemplateWarning>,
 * }
 *
 * @phpstan-type CampaignRecipient array{
 *   object: 'campaign_recipient',
 *   id: string,
 *   contact_id: string,
 *   email: string|null,
 *   state: 'waiting'|'accepted'|'skipped'|'failed',
 *   reason: string|null,
 *   email_id: string|null,
 *   email_status: string|null,
 *   updated_at: string,
 * }
 *
 * @phpstan-type CampaignRecipientList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<CampaignRecipient>,
 * }
 *
 * @phpstan-type CampaignRecipients array{
 *   waiting: int,
 *   accepted: int,
 *   skipped: int,
 *   failed: int,
 * }
 *
 * @phpstan-type CampaignResumedEvent array{
 *   type: 'campaign.resumed',
 *   created_at: string,
 *   data: CampaignEventData,
 * }
 *
 * @phpstan-type CampaignRetry array{
 *   object: 'campaign_retry',
 *   campaign_id: string,
 *   count: int,
 * }
 *
 * @phpstan-type CampaignSentEvent array{
 *   type: 'campaign.sent',
 *   created_at: string,
 *   data: CampaignSentEventData,
 * }
 *
 * @phpstan-type CampaignSentEventData array{
 *   id: string,
 *   name: string,
 *   recipients: CampaignSentEventDataRecipients,
 * }
 *
 * @phpstan-type CampaignSentEventDataRecipients array{
 *   accepted: int,
 *   skipped: int,
 *   failed: int,
 * }
 *
 * @phpstan-type CampaignStartedEvent array{
 *   type: 'campaign.started',
 *   created_at: string,
 *   data: CampaignEventData,
 * }
 *
 * @phpstan-type CampaignSummary array{
 *   object: 'campaign',
 *   id: string,
 *   name: string,
 *   status: 'draft'|'scheduled'|'sending'|'paused'|'sent'|'canceled',
 *   sender_id: string|null,
 *   template_id: string|null,
 *   subject: string|null,
 *   preview_text: string|null,
 *   reply_to: string|null,
 *   segment_id: string|null,
 *   list_id: string|null,
 *   audience: Audience,
 *   scheduled_at: string|null,
 *   paused_reason: string|null,
 *   started_at: string|null,
 *   ended_at: string|null,
 *   rate_per_hour: int|null,
 *   send_window: SendWindow|null,
 *   recipients: CampaignRecipients,
 *   totals: CampaignCounts,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type CampaignSummaryList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<CampaignSummary>,
 * }
 *
 * @phpstan-type CampaignTest array{
 *   object: 'campaign_test',
 *   data: list<CampaignTestData>,
 * }
 *
 * @phpstan-type CampaignTestData array{
 *   to: string,
 *   id: string|null,
 *   error: string|null,
 * }
 *
 * @phpstan-type CapturedEmail array{
 *   object: 'captured',
 *   id: string,
 *   email_id: string|null,
 *   envelope_from: string,
 *   envelope_to: string,
 *   from: list<Mailbox>,
 *   to: list<Mailbox>,
 *   subject: string|null,
 *   received_at: string,
 *   cc: list<Mailbox>,
 *   reply_to: list<Mailbox>,
 *   html: string|null,
 *   text: string|null,
 *   headers: list<CapturedEmailHeader>,
 *   attachments: list<CapturedEmailAttachment>,
 *   raw: string,
 * }
 *
 * @phpstan-type CapturedEmailAttachment array{
 *   filename: string|null,
 *   content_type: string,
 *   content_id: string|null,
 *   size: int,
 *   content: string,
 * }
 *
 * @phpstan-type CapturedEmailHeader array{
 *   name: string,
 *   value: string,
 * }
 *
 * @phpstan-type CapturedEmailSummary array{
 *   object: 'captured',
 *   id: string,
 *   email_id: string|null,
 *   envelope_from: string,
 *   envelope_to: string,
 *   from: list<Mailbox>,
 *   to: list<Mailbox>,
 *   subject: string|null,
 *   received_at: string,
 * }
 *
 * @phpstan-type CapturedEmailSummaryList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<CapturedEmailSummary>,
 * }
 *
 * @phpstan-type Contact array{
 *   object: 'contact',
 *   id: string,
 *   email: string,
 *   first_name: string,
 *   last_name: string,
 *   user_id: string,
 *   time_zone: string,
 *   unsubscribed: bool,
 *   properties: array<string, string|int|float>,
 *   lists: list<ListRef>,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type ContactCreatedEvent array{
 *   type: 'contact.created',
 *   created_at: string,
 *   data: ContactEventData,
 * }
 *
 * @phpstan-type ContactDeletedEvent array{
 *   type: 'contact.deleted',
 *   created_at: string,
 *   data: ContactEventData,
 * }
 *
 * @phpstan-type ContactEventData array{
 *   id: string,
 *   email: string,
 *   first_name?: string|null,
 *   last_name?: string|null,
 *   unsubscribed?: bool,
 *   created_at?: string,
 *   updated_at?: string,
 *   automation?: ContactEventDataAutomation,
 *   import?: ContactEventDataImport,
 * }
 *
 * @phpstan-type ContactEventDataAutomation array{
 *   id: string,
 *   run_id: string,
 *   depth: int,
 * }
 *
 * @phpstan-type ContactEventDataImport array{
 *   id: string,
 *   runs_automations: bool,
 * }
 *
 * @phpstan-type ContactEventEvent array{
 *   type: 'contact.event',
 *   created_at: string,
 *   data: ContactReportedEventData,
 * }
 *
 * @phpstan-type ContactList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<Contact>,
 * }
 *
 * @phpstan-type ContactListEventData array{
 *   id: string,
 *   email: string,
 *   first_name?: string|null,
 *   last_name?: string|null,
 *   unsubscribed?: bool,
 *   created_at?: string,
 *   updated_at?: string,
 *   automation?: ContactListEventDataAutomation,
 *   import?: ContactListEventDataImport,
 *   list_id: string,
 * }
 *
 * @phpstan-type ContactListEventDataAutomation array{
 *   id: string,
 *   run_id: string,
 *   depth: int,
 * }
 *
 * @phpstan-type ContactListEventDataImport array{
 *   id: string,
 *   runs_automations: bool,
 * }
 *
 * @phpstan-type ContactListJoinedEvent array{
 *   type: 'contact.list_joined',
 *   created_at: string,
 *   data: ContactListEventData,
 * }
 *
 * @phpstan-type ContactListLeftEvent array{
 *   type: 'contact.list_left',
 *   created_at: string,
 *   data: ContactListEventData,
 * }
 *
 * @phpstan-type ContactReportedEventData array{
 *   id: string,
 *   email: string,
 *   first_name?: string|null,
 *   last_name?: string|null,
 *   unsubscribed?: bool,
 *   created_at?: string,
 *   updated_at?: string,
 *   automation?: ContactReportedEventDataAutomation,
 *   import?: ContactReportedEventDataImport,
 *   event: string,
 *   payload: array<string, mixed>,
 *   occurred_at: string,
 * }
 *
 * @phpstan-type ContactReportedEventDataAutomation array{
 *   id: string,
 *   run_id: string,
 *   depth: int,
 * }
 *
 * @phpstan-type ContactReportedEventDataImport array{
 *   id: string,
 *   runs_automations: bool,
 * }
 *
 * @phpstan-type ContactUnsubscribedEvent array{
 *   type: 'contact.unsubscribed',
 *   created_at: string,
 *   data: ContactUnsubscribedEventData,
 * }
 *
 * @phpstan-type ContactUnsubscribedEventData array{
 *   id: string|null,
 *   email: string,
 *   first_name?: string|null,
 *   last_name?: string|null,
 *   unsubscribed?: bool,
 *   created_at?: string,
 *   updated_at?: string,
 *   automation?: ContactUnsubscribedEventDataAutomation,
 *   import?: ContactUnsubscribedEventDataImport,
 *   list_id?: string,
 *   topic?: string,
 *   email_id?: string,
 *   source?: string,
 * }
 *
 * @phpstan-type ContactUnsubscribedEventDataAutomation array{
 *   id: string,
 *   run_id: string,
 *   depth: int,
 * }
 *
 * @phpstan-type ContactUnsubscribedEventDataImport array{
 *   id: string,
 *   runs_automations: bool,
 * }
 *
 * @phpstan-type ContactUpdatedEvent array{
 *   type: 'contact.updated',
 *   created_at: string,
 *   data: ContactUpdatedEventData,
 * }
 *
 * @phpstan-type ContactUpdatedEventData array{
 *   id: string,
 *   email: string,
 *   first_name?: string|null,
 *   last_name?: string|null,
 *   unsubscribed?: bool,
 *   created_at?: string,
 *   updated_at?: string,
 *   automation?: ContactUpdatedEventDataAutomation,
 *   import?: ContactUpdatedEventDataImport,
 *   changes?: array<string, ContactUpdatedEventDataChange>,
 * }
 *
 * @phpstan-type ContactUpdatedEventDataAutomation array{
 *   id: string,
 *   run_id: string,
 *   depth: int,
 * }
 *
 * @phpstan-type ContactUpdatedEventDataChange array{
 *   from: string|int|float|bool|null,
 *   to: string|int|float|bool|null,
 * }
 *
 * @phpstan-type ContactUpdatedEventDataImport array{
 *   id: string,
 *   runs_automations: bool,
 * }
 *
 * @phpstan-type CountSegmentContactsRequest array{
 *   match_type?: 'all'|'any'|null,
 *   filters?: SegmentFiltersInput|null,
 * }
 *
 * @phpstan-type CreateApiKeyRequest array{
 *   name: string,
 *   permission?: 'full'|'send'|'full_access'|'sending_access'|null,
 *   domain_id?: string|null,
 *   expires_at?: string|null,
 * }
 *
 * @phpstan-type CreateAutomationRequest array{
 *   name: string,
 *   status?: 'draft'|'active'|'paused'|'enabled'|'disabled'|null,
 *   trigger?: AutomationTrigger|null,
 *   steps?: list<AutomationStepInput>|null,
 *   connections?: list<AutomationConnection>|null,
 *   settings?: AutomationSettings|null,
 * }
 *
 * @phpstan-type CreateBroadcastRequest array{
 *   name?: string|null,
 *   segment_id?: string|null,
 *   audience_id?: string|null,
 *   from?: string|null,
 *   subject?: string|null,
 *   html?: string|null,
 *   text?: string|null,
 *   reply_to?: string|list<string>|null,
 *   preview_text?: string|null,
 *   topic_id?: null,
 *   send?: bool|null,
 *   scheduled_at?: string|\DateTimeInterface|null,
 * }
 *
 * @phpstan-type CreateCampaignRequest array{
 *   name: string,
 *   sender_id?: string|null,
 *   template_id?: string|null,
 *   subject?: string|null,
 *   preview_text?: string|null,
 *   reply_to?: string|null,
 *   html?: string|null,
 *   text?: string|null,
 *   segment_id?: string|null,
 *   list_id?: string|null,
 *   audience?: AudienceInput|null,
 *   status?: 'draft'|'scheduled'|'sending'|'paused'|'canceled'|null,
 *   scheduled_at?: string|\DateTimeInterface|null,
 *   rate_per_hour?: int|null,
 *   send_window?: SendWindow|null,
 * }
 *
 * @phpstan-type CreateContactRequest array{
 *   email: string,
 *   first_name?: string|null,
 *   last_name?: string|null,
 *   user_id?: string|null,
 *   time_zone?: string|null,
 *   unsubscribed?: bool|null,
 *   list_ids?: list<string>|null,
 *   properties?: array<string, string|int|float|null>|null,
 * }
 *
 * @phpstan-type CreateDomainRequest array{
 *   open_tracking?: bool|null,
 *   click_tracking?: bool|null,
 *   tls?: 'opportunistic'|'enforced'|null,
 *   dkim_ed25519?: bool|null,
 *   name: string,
 * }
 *
 * @phpstan-type CreateEventDefinitionRequest array{
 *   name: string,
 *   schema?: array<string, 'string'|'number'|'boolean'|'date'>|null,
 * }
 *
 * @phpstan-type CreateListRequest array{
 *   name: string,
 * }
 *
 * @phpstan-type CreatePropertyRequest array{
 *   key: string,
 *   type: 'string'|'number'|'date',
 *   fallback_value?: string|null,
 * }
 *
 * @phpstan-type CreateSegmentRequest array{
 *   name: string,
 *   match_type?: 'all'|'any'|null,
 *   filters?: SegmentFiltersInput|null,
 * }
 *
 * @phpstan-type CreateSenderRequest array{
 *   name: string,
 *   username: string,
 *   domain_id: string,
 *   reply_to?: string|null,
 * }
 *
 * @phpstan-type CreateTeamRequest array{
 *   name: string,
 *   plan?: 'free'|'10k'|'25k'|'50k'|'75k'|'100k'|'150k'|'250k'|'500k'|'750k'|'1m'|'2m'|'5m'|'unlimited'|null,
 * }
 *
 * @phpstan-type CreateTemplateFolderRequest array{
 *   name: string,
 * }
 *
 * @phpstan-type CreateTemplateRequest array{
 *   name: string,
 *   subject: string,
 *   sender_id?: string|null,
 *   from?: string|null,
 *   html_content?: string|null,
 *   text_content?: string|null,
 *   html?: string|null,
 *   text?: string|null,
 *   reply_to?: string|list<string>|null,
 *   folder_id?: string|null,
 *   alias?: string|null,
 *   status?: 'published'|'draft'|null,
 *   variables?: list<TemplateVariableInput>|null,
 * }
 *
 * @phpstan-type CreateUnsubscriptionRequest array{
 *   email: string,
 *   list_id?: string|null,
 *   topic?: string|null,
 * }
 *
 * @phpstan-type CreateWebhookRequest array{
 *   endpoint?: string|null,
 *   url?: string|null,
 *   events?: list<string>|null,
 *   description?: string|null,
 * }
 *
 * @phpstan-type DatabaseHealth array{
 *   reachable: true,
 *   kind: 'embedded'|'external',
 *   version: string,
 *   size_bytes: int,
 *   in_recovery: bool,
 *   connections: int,
 *   connections_max: int,
 *   replicas: list<DatabaseHealthReplica>,
 * }
 *
 * @phpstan-type DatabaseHealth1 array{
 *   reachable: false,
 *   kind: 'embedded'|'external',
 * }
 *
 * @phpstan-type DatabaseHealthReplica array{
 *   name: string,
 *   state: string|null,
 *   lag_bytes: int|null,
 * }
 *
 * @phpstan-type DeleteCapturedEmailsResponse array{
 *   object: 'captured',
 *   deleted: true,
 *   count: int,
 * }
 *
 * @phpstan-type Deleted array{
 *   object: string,
 *   id: string,
 *   deleted: true,
 * }
 *
 * @phpstan-type DeletedContact array{
 *   object: 'contact',
 *   id: string,
 *   contact: string,
 *   deleted: true,
 * }
 *
 * @phpstan-type DeletedListMembership array{
 *   object: 'contact_list',
 *   id: string,
 *   contact: string,
 *   deleted: true,
 * }
 *
 * @phpstan-type DeletedSegmentMembership array{
 *   object: 'contact_segment',
 *   id: string,
 *   audienceId: string,
 *   deleted: true,
 * }
 *
 * @phpstan-type DeliveryTimes array{
 *   p50: int|null,
 *   p90: int|null,
 *   p95: int|null,
 *   p99: int|null,
 * }
 *
 * @phpstan-type DnsProvider array{
 *   object: 'dns_provider',
 *   zone: string|null,
 *   name_servers: list<string>,
 *   name: string|null,
 *   url: string|null,
 * }
 *
 * @phpstan-type DnsRecord array{
 *   record: string,
 *   type: string,
 *   name: string,
 *   value: string,
 *   ttl: string,
 *   status: 'pending'|'verified'|'failed'|'temporary_failure',
 *   required: bool,
 *   found: list<string>|null,
 *   advice: string|null,
 *   checked_at: string|null,
 * }
 *
 * @phpstan-type Domain array{
 *   object: 'domain',
 *   id: string,
 *   name: string,
 *   status: 'pending'|'verified'|'failed'|'temporary_failure',
 *   status_reason: string|null,
 *   captured: bool,
 *   open_tracking: bool,
 *   click_tracking: bool,
 *   tls: 'opportunistic'|'enforced',
 *   dkim_ed25519: bool,
 *   region: null,
 *   capabilities: DomainCapabilities,
 *   verified_at: string|null,
 *   checked_at: string|null,
 *   created_at: string,
 *   updated_at: string,
 *   records: list<DnsRecord>,
 * }
 *
 * @phpstan-type DomainCapabilities array{
 *   sending: 'enabled',
 *   receiving: 'disabled',
 * }
 *
 * @phpstan-type DomainCreatedEvent array{
 *   type: 'domain.created',
 *   created_at: string,
 *   data: DomainEventData,
 * }
 *
 * @phpstan-type DomainDeletedEvent array{
 *   type: 'domain.deleted',
 *   created_at: string,
 *   data: DomainEventData,
 * }
 *
 * @phpstan-type DomainEventData array{
 *   id: string,
 *   name: string,
 *   status: string,
 *   reason: string|null,
 *   created_at: string,
 * }
 *
 * @phpstan-type DomainFailedEvent array{
 *   type: 'domain.failed',
 *   created_at: string,
 *   data: DomainEventData,
 * }
 *
 * @phpstan-type DomainRef array{
 *   id: string,
 *   name: string|null,
 * }
 *
 * @phpstan-type DomainSummary array{
 *   object: 'domain',
 *   id: string,
 *   name: string,
 *   status: 'pending'|'verified'|'failed'|'temporary_failure',
 *   status_reason: string|null,
 *   captured: bool,
 *   open_tracking: bool,
 *   click_tracking: bool,
 *   tls: 'opportunistic'|'enforced',
 *   dkim_ed25519: bool,
 *   region: null,
 *   capabilities: DomainSummaryCapabilities,
 *   verified_at: string|null,
 *   checked_at: string|null,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type DomainSummaryCapabilities array{
 *   sending: 'enabled',
 *   receiving: 'disabled',
 * }
 *
 * @phpstan-type DomainSummaryList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<DomainSummary>,
 * }
 *
 * @phpstan-type DomainVerifiedEvent array{
 *   type: 'domain.verified',
 *   created_at: string,
 *   data: DomainEventData,
 * }
 *
 * @phpstan-type DryRunAutomationRequest array{
 *   contact_id?: string|null,
 *   email?: string|null,
 *   payload?: array<string, mixed>|null,
 *   events?: list<string>|null,
 * }
 *
 * @phpstan-type Email array{
 *   object: 'email',
 *   id: string,
 *   message_id: string,
 *   from: string,
 *   to: list<string>,
 *   cc: list<string>,
 *   bcc: list<string>,
 *   reply_to: list<string>,
 *   subject: string,
 *   tags: list<EmailTag>,
 *   status: 'scheduled'|'queued'|'sent'|'delivered'|'delivery_delayed'|'bounced'|'failed'|'suppressed'|'canceled'|'rejected'|'partially_delivered',
 *   last_event: string,
 *   class: 'transactional'|'bulk',
 *   domain: DomainRef,
 *   template: TemplateRef|null,
 *   scheduled_at: string|null,
 *   sent_at: string|null,
 *   created_at: string,
 *   html: string|null,
 *   text: string|null,
 *   headers: array<string, string|list<string>>,
 *   attachments: list<AttachmentSummary>,
 *   content_expired: bool,
 *   recipients: list<EmailRecipient>,
 *   events: list<EmailEvent>,
 * }
 *
 * @phpstan-type EmailAttachment array{
 *   object: 'attachment',
 *   id: string,
 *   filename: string,
 *   size: int,
 *   content_type: string,
 *   content_disposition: 'inline'|'attachment',
 *   content_id: string|null,
 *   download_url: string,
 *   expires_at: string,
 * }
 *
 * @phpstan-type EmailAttachmentList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<EmailAttachment>,
 * }
 *
 * @phpstan-type EmailBouncedEvent array{
 *   type: 'email.bounced',
 *   created_at: string,
 *   data: EmailBouncedEventData,
 * }
 *
 * @phpstan-type EmailBouncedEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   recipient: string,
 *   response?: string,
 *   smtp_code?: int,
 *   enhanced_code?: string,
 *   mx_host?: string,
 *   source?: string,
 *   notice_recipient?: string,
 *   category?: string,
 *   advice?: string,
 *   bounce: EmailBouncedEventDataBounce,
 * }
 *
 * @phpstan-type EmailBouncedEventDataBounce array{
 *   type: string,
 *   subType: string,
 *   message: string,
 * }
 *
 * @phpstan-type EmailCanceledEvent array{
 *   type: 'email.canceled',
 *   created_at: string,
 *   data: EmailCanceledEventData,
 * }
 *
 * @phpstan-type EmailCanceledEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   recipient?: string,
 * }
 *
 * @phpstan-type EmailClickedEvent array{
 *   type: 'email.clicked',
 *   created_at: string,
 *   data: EmailClickedEventData,
 * }
 *
 * @phpstan-type EmailClickedEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   recipient: string|null,
 *   ip_address: string,
 *   user_agent: string|null,
 *   is_machine: bool,
 *   machine_reason: string|null,
 *   link: string,
 *   click: EmailClickedEventDataClick,
 * }
 *
 * @phpstan-type EmailClickedEventDataClick array{
 *   link: string,
 *   ipAddress: string,
 *   userAgent: string,
 *   timestamp: string,
 * }
 *
 * @phpstan-type EmailComplainedEvent array{
 *   type: 'email.complained',
 *   created_at: string,
 *   data: EmailComplainedEventData,
 * }
 *
 * @phpstan-type EmailComplainedEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   recipient: string,
 *   feedback?: string,
 *   source?: string,
 * }
 *
 * @phpstan-type EmailCounts array{
 *   emails: int,
 *   accepted: int,
 *   queued: int,
 *   scheduled: int,
 *   canceled: int,
 *   attempted: int,
 *   sent: int,
 *   delivered: int,
 *   delivery_delayed: int,
 *   bounced: int,
 *   bounced_hard: int,
 *   failed: int,
 *   rejected: int,
 *   suppressed: int,
 *   complained: int,
 *   opened: int,
 *   opened_unique: int,
 *   opened_machine: int,
 *   clicked: int,
 *   clicked_unique: int,
 *   clicked_machine: int,
 * }
 *
 * @phpstan-type EmailDeliveredEvent array{
 *   type: 'email.delivered',
 *   created_at: string,
 *   data: EmailReplyEventData,
 * }
 *
 * @phpstan-type EmailDeliveryDelayedEvent array{
 *   type: 'email.delivery_delayed',
 *   created_at: string,
 *   data: EmailDeliveryDelayedEventData,
 * }
 *
 * @phpstan-type EmailDeliveryDelayedEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   recipient: string,
 *   response?: string,
 *   smtp_code?: int,
 *   enhanced_code?: string,
 *   mx_host?: string,
 *   source?: string,
 *   notice_recipient?: string,
 *   category?: string,
 *   advice?: string,
 *   next_attempt_at?: string,
 * }
 *
 * @phpstan-type EmailEvent array{
 *   object: 'event',
 *   id: string,
 *   type: 'email.queued'|'email.scheduled'|'email.sent'|'email.delivered'|'email.delivery_delayed'|'email.bounced'|'email.failed'|'email.rejected'|'email.suppressed'|'email.canceled'|'email.complained'|'email.opened'|'email.clicked'|'email.received'|'contact.created'|'contact.updated'|'contact.deleted'|'contact.list_joined'|'contact.list_left'|'contact.event'|'contact.unsubscribed'|'domain.created'|'domain.verified'|'domain.failed'|'domain.deleted'|'suppression.added'|'suppression.removed'|'campaign.started'|'campaign.paused'|'campaign.resumed'|'campaign.sent'|'campaign.canceled'|'webhook.disabled'|'team.paused'|'team.resumed',
 *   created_at: string,
 *   data: array<string, mixed>,
 * }
 *
 * @phpstan-type EmailEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 * }
 *
 * @phpstan-type EmailFailedEvent array{
 *   type: 'email.failed',
 *   created_at: string,
 *   data: EmailFailedEventData,
 * }
 *
 * @phpstan-type EmailFailedEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   recipient: string,
 *   response?: string,
 *   smtp_code?: int,
 *   enhanced_code?: string,
 *   mx_host?: string,
 *   source?: string,
 *   notice_recipient?: string,
 *   category?: string,
 *   advice?: string,
 *   failed: EmailFailedEventDataFailed,
 * }
 *
 * @phpstan-type EmailFailedEventDataFailed array{
 *   reason: string,
 * }
 *
 * @phpstan-type EmailMetrics array{
 *   object: 'metrics',
 *   interval: 'hour'|'day',
 *   time_zone: string,
 *   start_date: string,
 *   end_date: string,
 *   as_of: string|null,
 *   totals: EmailCounts,
 *   rates: EmailRates,
 *   time_to_deliver_ms: DeliveryTimes,
 *   series: list<EmailMetricsSerie>,
 *   group_by: 'domain'|'tag'|'template'|'sender'|'provider'|'reason'|null,
 *   groups: list<EmailMetricsGroup>,
 * }
 *
 * @phpstan-type EmailMetricsGroup array{
 *   key: string,
 *   name: string|null,
 *   counts: EmailCounts,
 *   rates: EmailRates,
 *   time_to_deliver_ms: DeliveryTimes,
 * }
 *
 * @phpstan-type EmailMetricsSerie array{
 *   at: string,
 *   counts: EmailCounts,
 *   rates: EmailRates,
 *   time_to_deliver_ms: DeliveryTimes,
 * }
 *
 * @phpstan-type EmailOpenedEvent array{
 *   type: 'email.opened',
 *   created_at: string,
 *   data: EmailVisitEventData,
 * }
 *
 * @phpstan-type EmailOutcomes array{
 *   emails: int,
 *   delivered: int,
 *   sent: int,
 *   partially_delivered: int,
 *   bounced: int,
 *   failed: int,
 *   rejected: int,
 *   suppressed: int,
 *   canceled: int,
 *   in_progress: int,
 *   opened: int,
 *   clicked: int,
 *   complained: int,
 * }
 *
 * @phpstan-type EmailQueuedEvent array{
 *   type: 'email.queued',
 *   created_at: string,
 *   data: EmailEventData,
 * }
 *
 * @phpstan-type EmailRates array{
 *   delivered: int|float|null,
 *   bounced: int|float|null,
 *   complained: int|float|null,
 *   opened: int|float|null,
 *   clicked: int|float|null,
 * }
 *
 * @phpstan-type EmailReasonEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   recipient: string,
 *   response?: string,
 *   smtp_code?: int,
 *   enhanced_code?: string,
 *   mx_host?: string,
 *   source?: string,
 *   notice_recipient?: string,
 *   category?: string,
 *   advice?: string,
 * }
 *
 * @phpstan-type EmailReceivedEvent array{
 *   type: 'email.received',
 *   created_at: string,
 *   data: EmailEventData,
 * }
 *
 * @phpstan-type EmailRecipient array{
 *   email: string,
 *   type: 'to'|'cc'|'bcc',
 *   status: 'scheduled'|'queued'|'sent'|'delivered'|'delivery_delayed'|'bounced'|'failed'|'suppressed'|'canceled'|'rejected',
 *   smtp_code: int|null,
 *   enhanced_code: string|null,
 *   response: string|null,
 *   category: string|null,
 *   advice: string|null,
 *   mx_host: string|null,
 *   attempts: int,
 *   next_attempt_at: string|null,
 *   updated_at: string,
 * }
 *
 * @phpstan-type EmailRef array{
 *   object: 'email',
 *   id: string,
 * }
 *
 * @phpstan-type EmailRejectedEvent array{
 *   type: 'email.rejected',
 *   created_at: string,
 *   data: EmailReasonEventData,
 * }
 *
 * @phpstan-type EmailReplyEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   recipient: string,
 *   response?: string,
 *   smtp_code?: int,
 *   enhanced_code?: string,
 *   mx_host?: string,
 *   source?: string,
 *   notice_recipient?: string,
 * }
 *
 * @phpstan-type EmailScheduledEvent array{
 *   type: 'email.scheduled',
 *   created_at: string,
 *   data: EmailScheduledEventData,
 * }
 *
 * @phpstan-type EmailScheduledEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   scheduled_at?: string,
 * }
 *
 * @phpstan-type EmailSentEvent array{
 *   type: 'email.sent',
 *   created_at: string,
 *   data: EmailReplyEventData,
 * }
 *
 * @phpstan-type EmailSummary array{
 *   object: 'email',
 *   id: string,
 *   message_id: string,
 *   from: string,
 *   to: list<string>,
 *   cc: list<string>,
 *   bcc: list<string>,
 *   reply_to: list<string>,
 *   subject: string,
 *   tags: list<EmailSummaryTag>,
 *   status: 'scheduled'|'queued'|'sent'|'delivered'|'delivery_delayed'|'bounced'|'failed'|'suppressed'|'canceled'|'rejected'|'partially_delivered',
 *   last_event: string,
 *   class: 'transactional'|'bulk',
 *   domain: DomainRef,
 *   template: TemplateRef|null,
 *   scheduled_at: string|null,
 *   sent_at: string|null,
 *   created_at: string,
 * }
 *
 * @phpstan-type EmailSummaryList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<EmailSummary>,
 * }
 *
 * @phpstan-type EmailSummaryTag array{
 *   name: string,
 *   value: string,
 * }
 *
 * @phpstan-type EmailSuppressedEvent array{
 *   type: 'email.suppressed',
 *   created_at: string,
 *   data: EmailSuppressedEventData,
 * }
 *
 * @phpstan-type EmailSuppressedEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   recipient: string,
 *   response?: string,
 *   smtp_code?: int,
 *   enhanced_code?: string,
 *   mx_host?: string,
 *   source?: string,
 *   notice_recipient?: string,
 *   category?: string,
 *   advice?: string,
 *   suppressed: EmailSuppressedEventDataSuppressed,
 * }
 *
 * @phpstan-type EmailSuppressedEventDataSuppressed array{
 *   type: string,
 *   message: string,
 * }
 *
 * @phpstan-type EmailTag array{
 *   name: string,
 *   value: string,
 * }
 *
 * @phpstan-type EmailVisitEventData array{
 *   email_id: string,
 *   message_id?: string,
 *   from?: string,
 *   to?: list<string>,
 *   subject?: string,
 *   created_at?: string,
 *   tags?: array<string, string>,
 *   template_id?: string|null,
 *   recipient: string|null,
 *   ip_address: string,
 *   user_agent: string|null,
 *   is_machine: bool,
 *   machine_reason: string|null,
 * }
 *
 * @phpstan-type ErasePersonRequest array{
 *   keep_suppressed?: bool|null,
 * }
 *
 * @phpstan-type Erasure array{
 *   object: 'erasure',
 *   id: string,
 *   status: 'running'|'waiting'|'completed',
 *   emails: int,
 *   waiting_emails: int,
 *   created_at: string,
 *   finished_at: string|null,
 * }
 *
 * @phpstan-type Event array{
 *   object: 'event',
 *   id: string,
 *   type: 'email.queued'|'email.scheduled'|'email.sent'|'email.delivered'|'email.delivery_delayed'|'email.bounced'|'email.failed'|'email.rejected'|'email.suppressed'|'email.canceled'|'email.complained'|'email.opened'|'email.clicked'|'email.received'|'contact.created'|'contact.updated'|'contact.deleted'|'contact.list_joined'|'contact.list_left'|'contact.event'|'contact.unsubscribed'|'domain.created'|'domain.verified'|'domain.failed'|'domain.deleted'|'suppression.added'|'suppression.removed'|'campaign.started'|'campaign.paused'|'campaign.resumed'|'campaign.sent'|'campaign.canceled'|'webhook.disabled'|'team.paused'|'team.resumed',
 *   created_at: string,
 *   data: array<string, mixed>,
 * }
 *
 * @phpstan-type EventDefinition array{
 *   object: 'event',
 *   id: string,
 *   name: string,
 *   schema: array<string, 'string'|'number'|'boolean'|'date'>|null,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type EventDefinitionList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<EventDefinition>,
 * }
 *
 * @phpstan-type EventPage array{
 *   object: 'list',
 *   data: list<Event>,
 *   has_more: bool,
 *   next_cursor: string,
 * }
 *
 * @phpstan-type ExportPersonResponse array{
 * }
 *
 * @phpstan-type GoLive array{
 *   object: 'go_live',
 *   delivery: 'capture'|'direct'|'relay',
 *   domain: GoLiveDomain|null,
 *   email: GoLiveEmail|null,
 *   server: 'ok'|'note'|'warning'|'problem'|null,
 * }
 *
 * @phpstan-type GoLiveDomain array{
 *   id: string,
 *   name: string,
 *   status: 'pending'|'verified'|'failed'|'temporary_failure',
 *   captured: bool,
 * }
 *
 * @phpstan-type GoLiveEmail array{
 *   id: string,
 *   recipient: string,
 *   status: string,
 *   host: string|null,
 *   response: string|null,
 *   updated_at: string,
 * }
 *
 * @phpstan-type Import array{
 *   object: 'import',
 *   id: string,
 *   kind: 'contacts'|'suppressions',
 *   dry_run: bool,
 *   status: 'receiving'|'queued'|'running'|'completed'|'failed',
 *   bytes: int,
 *   bytes_done: int,
 *   progress: int,
 *   rows_read: int,
 *   rows_created: int,
 *   rows_updated: int,
 *   rows_unchanged: int,
 *   rows_failed: int,
 *   reason: string|null,
 *   created_at: string,
 *   updated_at: string,
 *   finished_at: string|null,
 *   errors: list<ImportError>,
 * }
 *
 * @phpstan-type ImportError array{
 *   object: 'import_error',
 *   id: string,
 *   line: int,
 *   message: string,
 *   value: string|null,
 * }
 *
 * @phpstan-type ImportErrorList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<ImportError>,
 * }
 *
 * @phpstan-type ImportSummary array{
 *   object: 'import',
 *   id: string,
 *   kind: 'contacts'|'suppressions',
 *   dry_run: bool,
 *   status: 'receiving'|'queued'|'running'|'completed'|'failed',
 *   bytes: int,
 *   bytes_done: int,
 *   progress: int,
 *   rows_read: int,
 *   rows_created: int,
 *   rows_updated: int,
 *   rows_unchanged: int,
 *   rows_failed: int,
 *   reason: string|null,
 *   created_at: string,
 *   updated_at: string,
 *   finished_at: string|null,
 * }
 *
 * @phpstan-type ImportSummaryList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<ImportSummary>,
 * }
 *
 * @phpstan-type InstallationHealth array{
 *   object: 'health',
 *   as_of: string,
 *   version: string,
 *   status: 'ok'|'warning'|'problem',
 *   delivery: 'capture'|'direct'|'relay',
 *   database: DatabaseHealth|DatabaseHealth1,
 *   disk: InstallationHealthDisk|null,
 *   queue: InstallationHealthQueue|null,
 *   certificate_expires_at: string|null,
 *   last_backup: InstallationHealthLastBackup|null,
 *   findings: list<InstallationHealthFinding>,
 * }
 *
 * @phpstan-type InstallationHealthDisk array{
 *   free_bytes: int,
 *   total_bytes: int,
 * }
 *
 * @phpstan-type InstallationHealthFinding array{
 *   check: string,
 *   level: 'ok'|'note'|'warning'|'problem',
 *   found: string,
 *   advice: string|null,
 * }
 *
 * @phpstan-type InstallationHealthLastBackup array{
 *   made_at: string,
 *   rows: int,
 *   bytes: int,
 * }
 *
 * @phpstan-type InstallationHealthQueue array{
 *   oldest_ready_seconds: int,
 *   oldest_ready_seconds_max: int|float|null,
 * }
 *
 * @phpstan-type InviteToTeamRequest array{
 *   email: string,
 *   role: 'owner'|'admin'|'member'|'viewer',
 * }
 *
 * @phpstan-type ListOfContacts array{
 *   object: 'list',
 *   id: string,
 *   name: string,
 *   created_at: string,
 *   updated_at: string,
 *   contact_count: int,
 * }
 *
 * @phpstan-type ListAutomationVersionsResponse array{
 *   object: 'list',
 *   data: list<AutomationVersion>,
 * }
 *
 * @phpstan-type ListList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<ListOfContacts>,
 * }
 *
 * @phpstan-type ListRef array{
 *   object: 'list',
 *   id: string,
 *   name: string,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type ListSitesResponse array{
 *   object: 'list',
 *   has_more: bool,
 *   data: list<Site>,
 * }
 *
 * @phpstan-type ListTeamsResponse array{
 *   object: 'list',
 *   has_more: bool,
 *   data: list<OperatorTeam>,
 * }
 *
 * @phpstan-type Log array{
 *   object: 'log',
 *   id: string,
 *   created_at: string,
 *   method: string,
 *   endpoint: string,
 *   route: string|null,
 *   response_status: int,
 *   duration_ms: int,
 *   request_size: int|null,
 *   response_size: int|null,
 *   user_agent: string|null,
 *   ip_address: string|null,
 *   api_key: LogApiKey,
 *   record_id: string|null,
 *   request_body: null,
 *   response_body: LoggedError|null,
 * }
 *
 * @phpstan-type LogApiKey array{
 *   id: string,
 *   name: string|null,
 * }
 *
 * @phpstan-type LogList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<Log>,
 * }
 *
 * @phpstan-type LoggedError array{
 *   statusCode: int,
 *   name: string,
 *   message: string,
 *   errors?: array<string, list<string>>,
 * }
 *
 * @phpstan-type Mailbox array{
 *   name: string,
 *   address: string,
 * }
 *
 * @phpstan-type MoveAutomationRunsRequest array{
 *   from_version: int,
 *   dry_run?: bool|null,
 * }
 *
 * @phpstan-type Node array{
 *   object: 'node',
 *   id: string,
 *   host: string,
 *   process_id: int,
 *   roles: list<'api'|'deliver'|'inbound'|'webhooks'|'scheduler'>,
 *   version: string,
 *   state: 'up'|'silent',
 *   started_at: string,
 *   last_seen_at: string,
 *   deliveries_held: int|null,
 *   sites: int,
 *   connections: int,
 *   memory_bytes: int,
 * }
 *
 * @phpstan-type NodeList array{
 *   object: 'list',
 *   data: list<Node>,
 * }
 *
 * @phpstan-type OperatorTeam array{
 *   object: 'operator_team',
 *   id: string,
 *   name: string,
 *   plan: 'free'|'10k'|'25k'|'50k'|'75k'|'100k'|'150k'|'250k'|'500k'|'750k'|'1m'|'2m'|'5m'|'unlimited',
 *   members: int,
 *   month: OperatorTeamMonth,
 *   day: OperatorTeamDay,
 *   emails_this_month: int,
 *   sending_paused_at: string|null,
 *   sending_paused_by: 'operator'|'reputation'|null,
 *   sending_paused_reason: string|null,
 *   guard_until: string|null,
 *   created_at: string,
 * }
 *
 * @phpstan-type OperatorTeamDay array{
 *   used: int,
 *   limit: int|null,
 * }
 *
 * @phpstan-type OperatorTeamMonth array{
 *   used: int,
 *   limit: int|null,
 * }
 *
 * @phpstan-type PageLinks array{
 *   first: string|null,
 *   last: string|null,
 *   prev: string|null,
 *   next: string|null,
 * }
 *
 * @phpstan-type PageMeta array{
 *   current_page: int,
 *   from: int,
 *   last_page: int,
 *   path: string,
 *   per_page: int,
 *   to: int,
 *   total: int,
 * }
 *
 * @phpstan-type PauseSiteRequest array{
 *   minutes: int,
 *   reason: string,
 * }
 *
 * @phpstan-type PauseSiteResponse array{
 *   object: 'site',
 *   name: string,
 *   paused_until: string,
 * }
 *
 * @phpstan-type PauseTeamRequest array{
 *   reason: string,
 * }
 *
 * @phpstan-type Plan array{
 *   object: 'plan',
 *   id: string,
 *   name: string,
 *   month_recipients: int|null,
 *   day_recipients: int|null,
 *   send_requests_per_minute: int,
 *   requests_per_minute: int,
 * }
 *
 * @phpstan-type PlanList array{
 *   object: 'list',
 *   data: list<Plan>,
 * }
 *
 * @phpstan-type PreviewCampaignAudienceRequest array{
 *   audience?: AudienceInput|null,
 *   segment_id?: string|null,
 *   list_id?: string|null,
 * }
 *
 * @phpstan-type PreviewCampaignRequest array{
 *   contact_id?: string|null,
 * }
 *
 * @phpstan-type PreviewRequest array{
 *   variables?: array<string, string|int|float>|null,
 *   subject?: string|null,
 *   html_content?: string|null,
 *   text_content?: string|null,
 *   html?: string|null,
 *   text?: string|null,
 *   variable_definitions?: list<TemplateVariableInput>|null,
 *   draft?: bool|null,
 *   allow_missing?: bool|null,
 * }
 *
 * @phpstan-type Property array{
 *   object: 'property',
 *   id: string,
 *   key: string,
 *   type: 'string'|'number'|'date',
 *   fallback_value: string|null,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type PropertyList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<Property>,
 * }
 *
 * @phpstan-type Queue array{
 *   object: 'queue',
 *   as_of: string,
 *   ready: int,
 *   leased: int,
 *   delayed: int,
 *   scheduled: int,
 *   counted_up_to: int,
 *   oldest_ready_seconds: int,
 *   next_due_at: string|null,
 *   by_team: list<QueueByTeam>,
 *   by_destination: list<QueueByDestination>,
 *   by_site: list<QueueBySite>,
 * }
 *
 * @phpstan-type QueueByDestination array{
 *   domain: string,
 *   ready: int,
 *   waiting: int,
 *   oldest_ready_at: string|null,
 * }
 *
 * @phpstan-type QueueBySite array{
 *   name: string,
 *   waiting: int,
 *   paused_until: string,
 *   reason: string,
 * }
 *
 * @phpstan-type QueueByTeam array{
 *   team_id: string,
 *   name: string|null,
 *   ready: int,
 *   waiting: int,
 *   oldest_ready_at: string|null,
 * }
 *
 * @phpstan-type RemoveSuppressionsRequest array{
 *   emails?: list<string>|null,
 *   ids?: list<string>|null,
 * }
 *
 * @phpstan-type ReplayWebhookEventsRequest array{
 *   since: string,
 *   until?: string|null,
 *   types?: list<string>|null,
 *   only_failed?: bool|null,
 *   cursor?: string|null,
 * }
 *
 * @phpstan-type ReportedEvent array{
 *   object: 'event',
 *   event: string,
 * }
 *
 * @phpstan-type RescheduleEmailRequest array{
 *   scheduled_at: string|\DateTimeInterface|null,
 * }
 *
 * @phpstan-type ResendEmailRequest array{
 *   to?: string|list<string>|null,
 *   cc?: string|list<string>|null,
 *   bcc?: string|list<string>|null,
 * }
 *
 * @phpstan-type ResumeSiteResponse array{
 *   object: 'site',
 *   name: string,
 *   resumed: true,
 * }
 *
 * @phpstan-type Retention array{
 *   content: string,
 *   attempts: string,
 *   events: string,
 *   webhook_deliveries: string,
 *   object: 'retention',
 *   emails: string,
 *   limits: RetentionPeriods,
 * }
 *
 * @phpstan-type RetentionPeriods array{
 *   content: string,
 *   attempts: string,
 *   events: string,
 *   webhook_deliveries: string,
 * }
 *
 * @phpstan-type SaveTemplateDraftRequest array{
 *   sender_id?: string|null,
 *   from?: string|null,
 *   subject?: string|null,
 *   html_content?: string|null,
 *   text_content?: string|null,
 *   html?: string|null,
 *   text?: string|null,
 *   reply_to?: string|list<string>|null,
 *   variables?: list<TemplateVariableInput>|null,
 *   revision?: int|null,
 *   base_version?: int|null,
 * }
 *
 * @phpstan-type Segment array{
 *   object: 'segment',
 *   id: string,
 *   name: string,
 *   match_type: 'all'|'any',
 *   filters: SegmentFilters,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type SegmentConditionInput array{
 *   field: 'email'|'first_name'|'last_name'|'user_id'|'time_zone'|'unsubscribed'|'created_at'|'list'|'property',
 *   type?: 'string'|'number'|'date'|'boolean'|'list'|null,
 *   operator: 'equals'|'not_equals'|'contains'|'not_contains'|'starts_with'|'ends_with'|'is_set'|'is_not_set'|'is'|'is_not'|'does_not_contain'|'exists'|'not_exists'|'greater_than'|'greater_than_or_equals'|'less_than'|'less_than_or_equals'|'greater_than_or_equal'|'less_than_or_equal'|'before'|'on_or_before'|'on'|'not_on'|'on_or_after'|'after'|'older_than'|'within_last'|'within_next'|'in'|'not_in',
 *   value?: string|int|float|bool|null,
 *   property_id?: string|null,
 * }
 *
 * @phpstan-type SegmentCount array{
 *   object: 'segment_count',
 *   count: int,
 *   is_exact: bool,
 *   contacts: list<Contact>,
 * }
 *
 * @phpstan-type SegmentFilters array{
 *   groups: list<SegmentFiltersGroup>,
 * }
 *
 * @phpstan-type SegmentFiltersGroup array{
 *   match_type: 'all'|'any',
 *   conditions: list<SegmentFiltersGroupCondition>,
 * }
 *
 * @phpstan-type SegmentFiltersGroupCondition array{
 *   field: 'email'|'first_name'|'last_name'|'user_id'|'time_zone'|'unsubscribed'|'created_at'|'list'|'property',
 *   type: 'string'|'number'|'date'|'boolean'|'list',
 *   operator: string,
 *   value: string|int|float|bool|null,
 *   property_id: string|null,
 * }
 *
 * @phpstan-type SegmentFiltersInput array{
 *   groups?: list<SegmentFiltersInputGroup>|null,
 * }
 *
 * @phpstan-type SegmentFiltersInputGroup array{
 *   match_type?: 'all'|'any'|null,
 *   conditions: list<SegmentConditionInput>,
 * }
 *
 * @phpstan-type SegmentList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<Segment>,
 * }
 *
 * @phpstan-type SegmentMembership array{
 *   object: 'contact_segment',
 *   id: string,
 * }
 *
 * @phpstan-type SendBroadcastRequest array{
 *   scheduled_at?: string|\DateTimeInterface|null,
 * }
 *
 * @phpstan-type SendCampaignRequest array{
 *   scheduled_at?: string|\DateTimeInterface|null,
 * }
 *
 * @phpstan-type SendEmailRequest array{
 *   from?: string|null,
 *   to?: string|list<string>|null,
 *   cc?: string|list<string>|null,
 *   bcc?: string|list<string>|null,
 *   reply_to?: string|list<string>|null,
 *   subject?: string|null,
 *   html?: string|null,
 *   text?: string|null,
 *   headers?: array<string, string|list<string>>|null,
 *   tags?: list<SendEmailRequestTag|string>|null,
 *   scheduled_at?: string|\DateTimeInterface|null,
 *   attachments?: list<AttachmentInput|Attachment>|null,
 *   template?: SendEmailRequestTemplate|null,
 *   class?: 'transactional'|'bulk'|null,
 *   unsubscribe?: SendEmailRequestUnsubscribe|null,
 * }
 *
 * @phpstan-type SendEmailRequestTag array{
 *   name: string,
 *   value?: string|null,
 * }
 *
 * @phpstan-type SendEmailRequestTemplate array{
 *   id: string,
 *   variables?: array<string, string|int|float>|null,
 * }
 *
 * @phpstan-type SendEmailRequestUnsubscribe array{
 *   list_id?: string|null,
 *   topic?: string|null,
 * }
 *
 * @phpstan-type SendEventRequest array{
 *   event: string,
 *   contact_id?: string|null,
 *   email?: string|null,
 *   payload?: array<string, mixed>|null,
 *   occurred_at?: string|null,
 * }
 *
 * @phpstan-type SendMimeEmailRequest array{
 *   envelope_from: string,
 *   envelope_to: string,
 *   raw_message: string,
 *   class?: 'transactional'|'bulk'|null,
 * }
 *
 * @phpstan-type SendWindow array{
 *   from: string,
 *   to: string,
 *   time_zone: string,
 *   days?: list<int>|null,
 *   by_contact?: bool|null,
 * }
 *
 * @phpstan-type Sender array{
 *   object: 'sender',
 *   id: string,
 *   domain_id: string,
 *   name: string,
 *   username: string,
 *   email: string,
 *   reply_to: string,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type SenderList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<Sender>,
 * }
 *
 * @phpstan-type SentInvitation array{
 *   object: 'invitation',
 *   id: string,
 *   email: string,
 *   role: 'owner'|'admin'|'member'|'viewer',
 *   status: 'pending'|'expired',
 *   expires_at: string,
 *   created_at: string,
 *   emailed: bool,
 *   printed: bool,
 *   link: string,
 * }
 *
 * @phpstan-type ServerChecks array{
 *   object: 'server_checks',
 *   state: 'never'|'running'|'interrupted'|'done',
 *   delivery: 'capture'|'direct'|'relay',
 *   hostname: string,
 *   started_at: string|null,
 *   checked_at: string|null,
 *   next_at: string|null,
 *   findings: list<ServerChecksFinding>,
 * }
 *
 * @phpstan-type ServerChecksFinding array{
 *   step: 'hostname'|'public_url'|'reverse_dns'|'spf'|'outbound_port'|'bounce_host'|'inbound_port',
 *   check: string,
 *   level: 'ok'|'note'|'warning'|'problem',
 *   found: string,
 *   advice: string|null,
 *   record: AdvisedRecord|null,
 * }
 *
 * @phpstan-type Shaping array{
 *   object: 'shaping',
 *   file: string|null,
 *   loaded_at: string|null,
 *   failure: ShapingFailure|null,
 *   probes_seconds: list<int|float>,
 *   rules: list<ShapingRule>,
 * }
 *
 * @phpstan-type ShapingFailure array{
 *   at: string,
 *   message: string,
 * }
 *
 * @phpstan-type ShapingRule array{
 *   name: string,
 *   source: 'built_in'|'file',
 *   match: ShapingRuleMatch,
 *   connections_max: int|null,
 *   connections_start: int|null,
 *   messages_per_connection: int|null,
 *   rate: string|null,
 *   replies: list<ShapingRuleReplie>,
 * }
 *
 * @phpstan-type ShapingRuleMatch array{
 *   mx: list<string>|null,
 *   domain: list<string>|null,
 * }
 *
 * @phpstan-type ShapingRuleReplie array{
 *   pattern: string,
 *   stage: string|null,
 *   code: int|null,
 *   action: 'slow_down'|'pause'|'stop',
 *   for_seconds: int|float|null,
 * }
 *
 * @phpstan-type ShareEmailRequest array{
 *   expires_in?: string|null,
 * }
 *
 * @phpstan-type SharedEmail array{
 *   object: 'email',
 *   id: string,
 *   url: string,
 *   expires_at: string,
 * }
 *
 * @phpstan-type Site array{
 *   object: 'site',
 *   name: string,
 *   site: string,
 *   source: string,
 *   tls: string,
 *   relay: bool,
 *   state: 'open'|'paused'|'probing'|'stopped',
 *   reason: string|null,
 *   category: string|null,
 *   failures: int,
 *   paused_until: string|null,
 *   connections: int,
 *   connections_limit: int,
 *   connections_max: int,
 *   messages_per_connection: int,
 *   rate: string|null,
 *   waiting: int,
 *   rules: string,
 *   processes: int,
 * }
 *
 * @phpstan-type StartAutomationRunRequest array{
 *   contact_id?: string|null,
 *   email?: string|null,
 *   payload?: array<string, mixed>|null,
 * }
 *
 * @phpstan-type Summary array{
 *   object: 'summary',
 *   interval: 'hour'|'day',
 *   time_zone: string,
 *   start_date: string,
 *   end_date: string,
 *   as_of: string|null,
 *   outcomes: EmailOutcomes,
 *   series: list<SummarySerie>,
 *   before: SummaryBefore,
 *   time_to_deliver_ms: DeliveryTimes,
 *   waiting: SummaryWaiting,
 *   usage: SummaryUsage,
 *   alerts: list<Alert>,
 * }
 *
 * @phpstan-type SummaryBefore array{
 *   start_date: string,
 *   end_date: string,
 *   outcomes: EmailOutcomes,
 *   compared: EmailOutcomes,
 * }
 *
 * @phpstan-type SummarySerie array{
 *   at: string,
 *   outcomes: EmailOutcomes,
 * }
 *
 * @phpstan-type SummaryUsage array{
 *   month: UsagePeriod,
 *   day: UsagePeriod,
 * }
 *
 * @phpstan-type SummaryWaiting array{
 *   queued: int,
 *   delivery_delayed: int,
 *   scheduled: int,
 *   longest_deferred: SummaryWaitingLongestDeferred|null,
 * }
 *
 * @phpstan-type SummaryWaitingLongestDeferred array{
 *   id: string,
 *   created_at: string,
 * }
 *
 * @phpstan-type SuppressAddressRequest array{
 *   email: string,
 * }
 *
 * @phpstan-type SuppressAddressesRequest array{
 *   emails: list<string>,
 * }
 *
 * @phpstan-type Suppression array{
 *   object: 'suppression',
 *   id: string,
 *   email: string,
 *   reason: 'manual'|'bounce'|'complaint'|null,
 *   origin: 'manual'|'bounce'|'complaint'|null,
 *   source_email_id: string|null,
 *   source_id: string|null,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type SuppressionAddedEvent array{
 *   type: 'suppression.added',
 *   created_at: string,
 *   data: SuppressionEventData,
 * }
 *
 * @phpstan-type SuppressionEventData array{
 *   id: string,
 *   email: string,
 *   reason: string|null,
 *   source_email_id?: string|null,
 * }
 *
 * @phpstan-type SuppressionList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<Suppression>,
 * }
 *
 * @phpstan-type SuppressionRemovedEvent array{
 *   type: 'suppression.removed',
 *   created_at: string,
 *   data: SuppressionEventData,
 * }
 *
 * @phpstan-type SuppressionsAdded array{
 *   object: 'list',
 *   data: list<Suppression>,
 * }
 *
 * @phpstan-type SuppressionsRemoved array{
 *   object: 'list',
 *   data: list<SuppressionsRemovedData>,
 * }
 *
 * @phpstan-type SuppressionsRemovedData array{
 *   object: 'suppression',
 *   id: string,
 *   email: string,
 *   deleted: true,
 * }
 *
 * @phpstan-type TeamEventData array{
 *   id: string,
 *   name: string,
 *   by: string,
 *   reason: string|null,
 * }
 *
 * @phpstan-type TeamPausedEvent array{
 *   type: 'team.paused',
 *   created_at: string,
 *   data: TeamEventData,
 * }
 *
 * @phpstan-type TeamResumedEvent array{
 *   type: 'team.resumed',
 *   created_at: string,
 *   data: TeamEventData,
 * }
 *
 * @phpstan-type Template array{
 *   object: 'template',
 *   id: string,
 *   folder_id: string|null,
 *   name: string,
 *   alias: string|null,
 *   subject: string,
 *   reply_to: string,
 *   status: 'published'|'draft',
 *   sender: Sender,
 *   version: int,
 *   published_at: string|null,
 *   has_unpublished_versions: bool,
 *   created_at: string,
 *   updated_at: string,
 *   html_content: string,
 *   text_content: string,
 *   variables: list<TemplateVariable>,
 *   from: string,
 *   html: string,
 *   text: string|null,
 *   warnings: list<TemplateWarning>,
 * }
 *
 * @phpstan-type TemplateDraft array{
 *   object: 'template_draft',
 *   template_id: string,
 *   revision: int,
 *   base_version: int,
 *   is_outdated: bool,
 *   subject: string,
 *   html_content: string,
 *   text_content: string,
 *   reply_to: string,
 *   variables: list<TemplateVariable>,
 *   warnings: list<TemplateWarning>,
 *   sender: Sender,
 *   updated_by: TemplateDraftUpdatedBy,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type TemplateDraftUpdatedBy array{
 *   type: 'key'|'user',
 *   id: string,
 *   name: string|null,
 * }
 *
 * @phpstan-type TemplateFolder array{
 *   object: 'template_folder',
 *   id: string,
 *   name: string,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type TemplateFolderList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<TemplateFolder>,
 * }
 *
 * @phpstan-type TemplatePreview array{
 *   object: 'template_preview',
 *   template_id: string|null,
 *   subject: string,
 *   html: string|null,
 *   text: string|null,
 *   missing: list<string>,
 *   warnings: list<TemplateWarning>,
 * }
 *
 * @phpstan-type TemplateRef array{
 *   id: string,
 *   name: string,
 * }
 *
 * @phpstan-type TemplateSummary array{
 *   object: 'template',
 *   id: string,
 *   folder_id: string|null,
 *   name: string,
 *   alias: string|null,
 *   subject: string,
 *   reply_to: string,
 *   status: 'published'|'draft',
 *   sender: Sender,
 *   version: int,
 *   published_at: string|null,
 *   has_unpublished_versions: bool,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type TemplateSummaryList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<TemplateSummary>,
 * }
 *
 * @phpstan-type TemplateVariable array{
 *   key: string,
 *   type: 'string'|'number',
 *   fallback_value: string|null,
 * }
 *
 * @phpstan-type TemplateVariableInput array{
 *   key: string,
 *   type?: 'string'|'number'|null,
 *   fallback_value?: string|int|float|null,
 * }
 *
 * @phpstan-type TemplateVersion array{
 *   object: 'template_version',
 *   id: string,
 *   template_id: string,
 *   version: int,
 *   is_current: bool,
 *   subject: string,
 *   created_by: TemplateVersionCreatedBy|null,
 *   created_at: string,
 *   html_content: string,
 *   text_content: string,
 *   reply_to: string,
 *   variables: list<TemplateVariable>,
 *   sender: Sender|null,
 * }
 *
 * @phpstan-type TemplateVersionCreatedBy array{
 *   type: 'key'|'user',
 *   id: string,
 *   name: string|null,
 * }
 *
 * @phpstan-type TemplateVersionSummary array{
 *   object: 'template_version',
 *   id: string,
 *   template_id: string,
 *   version: int,
 *   is_current: bool,
 *   subject: string,
 *   created_by: TemplateVersionSummaryCreatedBy|null,
 *   created_at: string,
 * }
 *
 * @phpstan-type TemplateVersionSummaryCreatedBy array{
 *   type: 'key'|'user',
 *   id: string,
 *   name: string|null,
 * }
 *
 * @phpstan-type TemplateVersionSummaryList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<TemplateVersionSummary>,
 * }
 *
 * @phpstan-type TemplateWarning array{
 *   part: 'subject'|'html'|'text',
 *   line: int,
 *   column: int,
 *   message: string,
 * }
 *
 * @phpstan-type TestCampaignRequest array{
 *   to: list<string>,
 * }
 *
 * @phpstan-type TestWebhookRequest array{
 *   type?: string|null,
 * }
 *
 * @phpstan-type Unsubscription array{
 *   object: 'unsubscription',
 *   id: string,
 *   email: string,
 *   list_id: string|null,
 *   topic: string|null,
 *   source: string,
 *   email_id: string|null,
 *   created_at: string,
 * }
 *
 * @phpstan-type UnsubscriptionList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<Unsubscription>,
 * }
 *
 * @phpstan-type UpdateApiKeyRequest array{
 *   name?: string|null,
 *   permission?: 'full'|'send'|'full_access'|'sending_access'|null,
 *   domain_id?: string|null,
 *   expires_at?: string|null,
 * }
 *
 * @phpstan-type UpdateAutomationRequest array{
 *   name?: string|null,
 *   status?: 'draft'|'active'|'paused'|'enabled'|'disabled'|null,
 *   trigger?: AutomationTrigger|null,
 *   steps?: list<AutomationStepInput>|null,
 *   connections?: list<AutomationConnection>|null,
 *   settings?: AutomationSettings|null,
 * }
 *
 * @phpstan-type UpdateBroadcastRequest array{
 *   name?: string|null,
 *   segment_id?: string|null,
 *   audience_id?: string|null,
 *   from?: string|null,
 *   subject?: string|null,
 *   html?: string|null,
 *   text?: string|null,
 *   reply_to?: string|list<string>|null,
 *   preview_text?: string|null,
 *   topic_id?: null,
 * }
 *
 * @phpstan-type UpdateCampaignRequest array{
 *   name?: string|null,
 *   sender_id?: string|null,
 *   template_id?: string|null,
 *   subject?: string|null,
 *   preview_text?: string|null,
 *   reply_to?: string|null,
 *   html?: string|null,
 *   text?: string|null,
 *   segment_id?: string|null,
 *   list_id?: string|null,
 *   audience?: AudienceInput|null,
 *   status?: 'draft'|'scheduled'|'sending'|'paused'|'canceled'|null,
 *   scheduled_at?: string|\DateTimeInterface|null,
 *   rate_per_hour?: int|null,
 *   send_window?: SendWindow|null,
 * }
 *
 * @phpstan-type UpdateContactRequest array{
 *   email?: string|null,
 *   first_name?: string|null,
 *   last_name?: string|null,
 *   user_id?: string|null,
 *   time_zone?: string|null,
 *   unsubscribed?: bool|null,
 *   list_ids?: list<string>|null,
 *   properties?: array<string, string|int|float|null>|null,
 * }
 *
 * @phpstan-type UpdateDomainRequest array{
 *   open_tracking?: bool|null,
 *   click_tracking?: bool|null,
 *   tls?: 'opportunistic'|'enforced'|null,
 *   dkim_ed25519?: bool|null,
 * }
 *
 * @phpstan-type UpdateEventDefinitionRequest array{
 *   schema: array<string, 'string'|'number'|'boolean'|'date'>|null,
 * }
 *
 * @phpstan-type UpdateListRequest array{
 *   name?: string|null,
 * }
 *
 * @phpstan-type UpdateOperatorTeamRequest array{
 *   name?: string|null,
 *   plan?: 'free'|'10k'|'25k'|'50k'|'75k'|'100k'|'150k'|'250k'|'500k'|'750k'|'1m'|'2m'|'5m'|'unlimited'|null,
 * }
 *
 * @phpstan-type UpdatePropertyRequest array{
 *   key?: string|null,
 *   type?: 'string'|'number'|'date'|null,
 *   fallback_value?: string|null,
 * }
 *
 * @phpstan-type UpdateRetentionRequest array{
 *   content?: string|null,
 *   attempts?: string|null,
 *   events?: string|null,
 *   webhook_deliveries?: string|null,
 * }
 *
 * @phpstan-type UpdateSegmentRequest array{
 *   name?: string|null,
 *   match_type?: 'all'|'any'|null,
 *   filters?: SegmentFiltersInput|null,
 * }
 *
 * @phpstan-type UpdateSenderRequest array{
 *   name?: string|null,
 *   username?: string|null,
 *   domain_id?: string|null,
 *   reply_to?: string|null,
 * }
 *
 * @phpstan-type UpdateSuppressionRequest array{
 *   reason?: 'manual'|'bounce'|'complaint'|null,
 * }
 *
 * @phpstan-type UpdateTemplateFolderRequest array{
 *   name?: string|null,
 * }
 *
 * @phpstan-type UpdateTemplateRequest array{
 *   name?: string|null,
 *   subject?: string|null,
 *   sender_id?: string|null,
 *   from?: string|null,
 *   html_content?: string|null,
 *   text_content?: string|null,
 *   html?: string|null,
 *   text?: string|null,
 *   reply_to?: string|list<string>|null,
 *   folder_id?: string|null,
 *   alias?: string|null,
 *   status?: 'published'|'draft'|null,
 *   variables?: list<TemplateVariableInput>|null,
 * }
 *
 * @phpstan-type UpdateWebhookRequest array{
 *   endpoint?: string|null,
 *   url?: string|null,
 *   events?: list<string>|null,
 *   description?: string|null,
 *   status?: 'enabled'|'disabled'|null,
 * }
 *
 * @phpstan-type Usage array{
 *   object: 'usage',
 *   plan: 'free'|'10k'|'25k'|'50k'|'75k'|'100k'|'150k'|'250k'|'500k'|'750k'|'1m'|'2m'|'5m'|'unlimited',
 *   sending_paused: bool,
 *   sending_paused_at: string|null,
 *   sending_paused_by: 'operator'|'reputation'|null,
 *   sending_paused_reason: string|null,
 *   requests_per_minute: int,
 *   rate_limit: UsageRateLimit,
 *   emails_this_month: int,
 *   month: UsagePeriod,
 *   day: UsagePeriod,
 *   months: list<UsageMonth>,
 * }
 *
 * @phpstan-type UsageMonth array{
 *   month: string,
 *   recipients: int,
 *   emails: int,
 * }
 *
 * @phpstan-type UsagePeriod array{
 *   used: int,
 *   limit: int|null,
 *   remaining: int|null,
 *   resets_at: string,
 * }
 *
 * @phpstan-type UsageRateLimit array{
 *   limit: int,
 *   used: int,
 *   remaining: int,
 *   resets_at: string|null,
 * }
 *
 * @phpstan-type ValidateAddressRequest array{
 *   email: string,
 * }
 *
 * @phpstan-type Webhook array{
 *   object: 'webhook',
 *   id: string,
 *   endpoint: string,
 *   url: string,
 *   events: list<string>|null,
 *   description: string|null,
 *   status: 'enabled'|'disabled',
 *   disabled_reason: string|null,
 *   disabled_at: string|null,
 *   failing_since: string|null,
 *   previous_secret_until: string|null,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type WebhookDelivery array{
 *   object: 'webhook_delivery',
 *   id: string,
 *   webhook_id: string,
 *   event_id: string|null,
 *   type: string,
 *   status: 'waiting'|'delivered'|'failed',
 *   attempt_count: int,
 *   response_status: int|null,
 *   latency_ms: int|null,
 *   next_attempt_at: string|null,
 *   replayed_as: string|null,
 *   created_at: string,
 *   updated_at: string,
 *   request: WebhookDeliveryRequest,
 *   response: WebhookDeliveryResponse|null,
 *   attempts: list<WebhookDeliveryAttempt>,
 * }
 *
 * @phpstan-type WebhookDeliveryAttempt array{
 *   at: string,
 *   status: int|null,
 *   latency_ms: int,
 *   error: string|null,
 * }
 *
 * @phpstan-type WebhookDeliveryRequest array{
 *   method: 'POST',
 *   url: string,
 *   headers: WebhookDeliveryRequestHeaders,
 *   body: string|null,
 * }
 *
 * @phpstan-type WebhookDeliveryRequestHeaders array{
 *   'content-type': string,
 *   'webhook-id': string,
 * }
 *
 * @phpstan-type WebhookDeliveryResponse array{
 *   status: int|null,
 *   body: string|null,
 * }
 *
 * @phpstan-type WebhookDeliverySummary array{
 *   object: 'webhook_delivery',
 *   id: string,
 *   webhook_id: string,
 *   event_id: string|null,
 *   type: string,
 *   status: 'waiting'|'delivered'|'failed',
 *   attempt_count: int,
 *   response_status: int|null,
 *   latency_ms: int|null,
 *   next_attempt_at: string|null,
 *   replayed_as: string|null,
 *   created_at: string,
 *   updated_at: string,
 * }
 *
 * @phpstan-type WebhookDeliverySummaryList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<WebhookDeliverySummary>,
 * }
 *
 * @phpstan-type WebhookDisabledEvent array{
 *   type: 'webhook.disabled',
 *   created_at: string,
 *   data: WebhookEventData,
 * }
 *
 * @phpstan-type WebhookEventData array{
 *   id: string,
 *   endpoint: string,
 *   reason: string,
 * }
 *
 * @phpstan-type WebhookList array{
 *   object: 'list',
 *   has_more: bool,
 *   links: PageLinks,
 *   meta: PageMeta,
 *   data: list<Webhook>,
 * }
 *
 * @phpstan-type WebhookReplay array{
 *   object: 'webhook_replay',
 *   webhook_id: string,
 *   count: int,
 *   has_more: bool,
 *   cursor: string|null,
 * }
 *
 * @phpstan-type WebhookWithSecret array{
 *   object: 'webhook',
 *   id: string,
 *   endpoint: string,
 *   url: string,
 *   events: list<string>|null,
 *   description: string|null,
 *   status: 'enabled'|'disabled',
 *   disabled_reason: string|null,
 *   disabled_at: string|null,
 *   failing_since: string|null,
 *   previous_secret_until: string|null,
 *   created_at: string,
 *   updated_at: string,
 *   signing_secret: string|null,
 * }
 *
 * @phpstan-type WebhookEvent EmailQueuedEvent|EmailScheduledEvent|EmailSentEvent|EmailDeliveredEvent|EmailDeliveryDelayedEvent|EmailBouncedEvent|EmailFailedEvent|EmailRejectedEvent|EmailSuppressedEvent|EmailCanceledEvent|EmailComplainedEvent|EmailOpenedEvent|EmailClickedEvent|EmailReceivedEvent|ContactCreatedEvent|ContactUpdatedEvent|ContactDeletedEvent|ContactListJoinedEvent|ContactListLeftEvent|ContactEventEvent|ContactUnsubscribedEvent|DomainCreatedEvent|DomainVerifiedEvent|DomainFailedEvent|DomainDeletedEvent|SuppressionAddedEvent|SuppressionRemovedEvent|CampaignStartedEvent|CampaignPausedEvent|CampaignResumedEvent|CampaignSentEvent|CampaignCanceledEvent|WebhookDisabledEvent|TeamPausedEvent|TeamResumedEvent
 */
interface Types
{
}
