# `npm test -- clients/test/generated.test.ts -u` writes this file.
"""The objects of the API, as dictionaries with these keys."""

from __future__ import annotations

import typing as t
from datetime import datetime


class AcceptedEmail(t.TypedDict):
    id: str


class AddContactToListsRequest(t.TypedDict):
    list_ids: t.List[str]


class AddressEvaluations(t.TypedDict):
    has_valid_syntax: bool
    has_valid_dns: t.Optional[bool]
    mailbox_exists: t.Optional[bool]
    is_role_address: bool
    is_disposable: bool
    is_random_input: bool


class AddressValidation(t.TypedDict):
    email: str
    is_valid: bool
    evaluations: AddressEvaluations
    should_block: bool
    block_reason: t.Optional[t.Literal["invalid_syntax", "invalid", "disposable_email"]]
    validated_at: str
    verdict: t.Literal["deliverable", "risky", "undeliverable", "unknown"]
    did_you_mean: t.Optional[str]
    has_known_bounce: bool
    is_free_provider: bool


class AdvisedRecord(t.TypedDict):
    type: t.Literal["A", "AAAA", "MX", "TXT", "PTR"]
    name: str
    value: str


class Alert(t.TypedDict):
    object: t.Literal["attention_item"]
    kind: t.Literal["sending_paused", "campaign_paused", "automation_paused", "automation_failing", "quota_month", "quota_day", "domain_unverified", "domain_failing", "site_paused", "webhook_disabled", "webhook_failing", "email_waiting", "bounce_rate", "complaint_rate", "api_key_expiring"]
    severity: t.Literal["info", "warning", "critical"]
    message: str
    subject: t.Optional[AlertSubject]
    since: t.Optional[str]


class AlertList(t.TypedDict):
    object: t.Literal["list"]
    data: t.List[Alert]


class AlertSubject(t.TypedDict):
    type: str
    id: t.Optional[str]
    name: str


class ApiKey(t.TypedDict):
    object: t.Literal["api_key"]
    id: str
    name: str
    permission: t.Literal["full", "send"]
    domain_id: t.Optional[str]
    status: t.Literal["active", "expired", "revoked"]
    prefix: str
    expires_at: t.Optional[str]
    last_used_at: t.Optional[str]
    created_at: str


class ApiKeyList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[ApiKey]


class ApiKeyWithToken(t.TypedDict):
    object: t.Literal["api_key"]
    id: str
    name: str
    permission: t.Literal["full", "send"]
    domain_id: t.Optional[str]
    status: t.Literal["active", "expired", "revoked"]
    prefix: str
    expires_at: t.Optional[str]
    last_used_at: t.Optional[str]
    created_at: str
    token: str


class AttachmentInput(t.TypedDict, total=False):
    filename: t.Optional[str]
    content: t.Union[str, bytes, t.Dict[str, t.Any], None]
    path: t.Optional[str]
    content_type: t.Optional[str]
    content_id: t.Optional[str]


class AttachmentInputContent1(t.TypedDict):
    type: t.Literal["Buffer"]
    data: t.List[t.Any]


class AttachmentSummary(t.TypedDict):
    filename: str
    content_type: str
    content_id: t.Optional[str]
    size: int


class Attempt(t.TypedDict):
    recipient: str
    attempt: int
    started_at: str
    duration_ms: int
    outcome: str
    category: str
    advice: t.Optional[str]
    smtp_code: t.Optional[int]
    enhanced_code: t.Optional[str]
    response: t.Optional[str]
    mx_host: t.Optional[str]
    mx_address: t.Optional[str]
    source_address: t.Optional[str]
    tls: t.Optional[str]
    conversation: t.List[AttemptConversation]


class AttemptConversation(t.TypedDict):
    at_ms: int
    who: t.Literal["client", "server", "note"]
    text: str


class AttemptList(t.TypedDict):
    object: t.Literal["list"]
    data: t.List[Attempt]


class Audience(t.TypedDict):
    include: t.List[AudienceInclude]
    exclude: t.List[AudienceExclude]


class AudienceExclude(t.TypedDict, total=False):
    list_id: str
    segment_id: str


class AudienceInclude(t.TypedDict, total=False):
    list_id: str
    segment_id: str


class AudienceInput(t.TypedDict, total=False):
    include: t.Optional[t.List[AudienceInputInclude]]
    exclude: t.Optional[t.List[AudienceInputExclude]]


class AudienceInputExclude(t.TypedDict, total=False):
    list_id: t.Optional[str]
    segment_id: t.Optional[str]


class AudienceInputInclude(t.TypedDict, total=False):
    list_id: t.Optional[str]
    segment_id: t.Optional[str]


class AuditEntry(t.TypedDict):
    object: t.Literal["audit_entry"]
    id: str
    actor: AuditEntryActor
    action: str
    target_id: t.Optional[str]
    fields: t.List[str]
    ip_address: t.Optional[str]
    user_agent: t.Optional[str]
    request_id: t.Optional[str]
    created_at: str


class AuditEntryActor(t.TypedDict):
    type: str
    id: t.Optional[str]
    name: t.Optional[str]


class AuditEntryList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[AuditEntry]


class _Automation(t.TypedDict):
    object: t.Literal["automation"]
    id: str
    name: str
    status: t.Literal["draft", "active", "paused"]
    paused_reason: t.Optional[t.Literal["upgraded", "restored"]]
    version: int
    trigger: t.Optional[t.Dict[str, t.Any]]
    steps: t.List[AutomationGraphStep]
    connections: t.List[AutomationStoredConnection]
    settings: AutomationStoredSettings
    created_at: str
    updated_at: str


class Automation(_Automation, total=False):
    runs: AutomationRuns


_AutomationConnection = t.TypedDict(
    "_AutomationConnection",
    {
        "from": "str",
        "to": "str",
    },
)


class AutomationConnection(_AutomationConnection, total=False):
    type: t.Optional[t.Literal["default", "condition_met", "condition_not_met", "event_received", "timeout", "branch_1", "branch_2", "branch_3", "branch_4", "branch_5", "branch_6", "branch_7", "branch_8", "branch_9", "branch_10"]]


class AutomationDryRun(t.TypedDict):
    object: t.Literal["automation_dry_run"]
    automation_id: str
    steps: t.List[AutomationDryRunStep]
    end: str


class AutomationDryRunStep(t.TypedDict):
    key: str
    type: str
    at: str
    decision: str
    connection: t.Optional[str]


class AutomationFigures(t.TypedDict):
    object: t.Literal["automation_figures"]
    automation_id: str
    version: int
    steps: t.List[AutomationFiguresStep]


class AutomationFiguresStep(t.TypedDict):
    key: str
    entered: int
    waiting: int
    done: int
    skipped: int
    failed: int
    exited: int
    delivered: int
    bounced: int
    complained: int
    opened: int
    clicked: int


class AutomationGraphStep(t.TypedDict):
    key: str
    type: str
    config: t.Dict[str, t.Any]


class AutomationList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[Automation]


class AutomationMove(t.TypedDict):
    object: t.Literal["automation_move"]
    automation_id: str
    to_version: int
    moved: int
    left: int


class AutomationRun(t.TypedDict):
    object: t.Literal["automation_run"]
    id: str
    automation_id: str
    version: int
    contact_id: str
    email: t.Optional[str]
    status: t.Literal["running", "completed", "failed", "cancelled"]
    outcome: t.Optional[t.Literal["completed", "goal", "exited", "failed", "canceled"]]
    reason: t.Optional[str]
    step: str
    due_at: t.Optional[str]
    awaits: t.Optional[str]
    is_held: bool
    started_at: str
    completed_at: t.Optional[str]
    created_at: str


class AutomationRunList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[AutomationRun]


class AutomationRunStep(t.TypedDict):
    key: str
    type: str
    status: t.Literal["completed", "failed", "skipped", "waiting", "running"]
    output: t.Optional[t.Dict[str, t.Any]]
    error: t.Optional[t.Dict[str, t.Any]]
    email_id: t.Optional[str]
    started_at: t.Optional[str]
    completed_at: t.Optional[str]
    created_at: str


class AutomationRunTrail(t.TypedDict):
    object: t.Literal["automation_run"]
    id: str
    automation_id: str
    version: int
    contact_id: str
    email: t.Optional[str]
    status: t.Literal["running", "completed", "failed", "cancelled"]
    outcome: t.Optional[t.Literal["completed", "goal", "exited", "failed", "canceled"]]
    reason: t.Optional[str]
    step: str
    due_at: t.Optional[str]
    awaits: t.Optional[str]
    is_held: bool
    started_at: str
    completed_at: t.Optional[str]
    created_at: str
    trigger: AutomationRunTrailTrigger
    payload: t.Dict[str, t.Any]
    steps: t.List[AutomationRunStep]


class _AutomationRunTrailTrigger(t.TypedDict):
    type: str


class AutomationRunTrailTrigger(_AutomationRunTrailTrigger, total=False):
    event_id: str
    automation_id: str


class AutomationRuns(t.TypedDict):
    running: int
    failed: int


class AutomationSettings(t.TypedDict, total=False):
    reentry: t.Optional[t.Literal["once", "after_exit", "every_time"]]
    reentry_gap: t.Optional[t.Union[str, float]]
    on_retrigger: t.Optional[t.Literal["keep", "restart"]]
    exits: t.Optional[t.List[t.Dict[str, t.Any]]]
    max_late: t.Optional[t.Union[str, float]]
    resume_rate: t.Optional[int]


class _AutomationStepInput(t.TypedDict):
    type: str


class AutomationStepInput(_AutomationStepInput, total=False):
    key: t.Optional[str]
    config: t.Optional[t.Dict[str, t.Any]]


AutomationStoredConnection = t.TypedDict(
    "AutomationStoredConnection",
    {
        "from": "str",
        "to": "str",
        "type": "t.Literal['default', 'condition_met', 'condition_not_met', 'event_received', 'timeout', 'branch_1', 'branch_2', 'branch_3', 'branch_4', 'branch_5', 'branch_6', 'branch_7', 'branch_8', 'branch_9', 'branch_10']",
    },
)


class AutomationStoredSettings(t.TypedDict, total=False):
    reentry: t.Literal["once", "after_exit", "every_time"]
    reentry_gap: t.Optional[t.Union[str, float]]
    on_retrigger: t.Literal["keep", "restart"]
    exits: t.List[t.Dict[str, t.Any]]
    max_late: t.Optional[t.Union[str, float]]
    resume_rate: int


class AutomationTrigger(t.TypedDict):
    type: str


class AutomationVersion(t.TypedDict):
    object: t.Literal["automation_version"]
    automation_id: str
    version: int
    steps: t.List[AutomationGraphStep]
    connections: t.List[AutomationStoredConnection]
    settings: AutomationStoredSettings
    waiting: int
    created_at: str


class _BatchResult(t.TypedDict):
    data: t.List[AcceptedEmail]


class BatchResult(_BatchResult, total=False):
    errors: t.List[BatchResultError]


class BatchResultError(t.TypedDict):
    index: int
    message: str


Broadcast = t.TypedDict(
    "Broadcast",
    {
        "object": "t.Literal['broadcast']",
        "id": "str",
        "name": "str",
        "segment_id": "t.Optional[str]",
        "audience_id": "t.Optional[str]",
        "status": "t.Literal['draft', 'queued', 'sent']",
        "created_at": "str",
        "scheduled_at": "t.Optional[str]",
        "sent_at": "t.Optional[str]",
        "from": "t.Optional[str]",
        "subject": "t.Optional[str]",
        "reply_to": "t.Optional[t.List[str]]",
        "preview_text": "t.Optional[str]",
        "topic_id": "None",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
    },
)


class BroadcastId(t.TypedDict):
    object: t.Literal["broadcast"]
    id: str


class BroadcastLink(t.TypedDict):
    id: str
    url: str
    clicks: int
    unique_clicks: int


class BroadcastLinkList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[BroadcastLink]


class _BroadcastRecipient(t.TypedDict):
    id: str
    contact_id: t.Optional[str]
    email: str


class BroadcastRecipient(_BroadcastRecipient, total=False):
    count: int
    clicked_links: t.List[BroadcastRecipientClickedLink]
    bounce_type: t.Literal["permanent", "transient", "undetermined"]


class BroadcastRecipientClickedLink(t.TypedDict):
    url: str
    clicks: int


class BroadcastRecipientList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[BroadcastRecipient]


class BroadcastSummary(t.TypedDict):
    object: t.Literal["broadcast"]
    id: str
    name: str
    segment_id: t.Optional[str]
    audience_id: t.Optional[str]
    status: t.Literal["draft", "queued", "sent"]
    created_at: str
    scheduled_at: t.Optional[str]
    sent_at: t.Optional[str]


class BroadcastSummaryList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[BroadcastSummary]


class Campaign(t.TypedDict):
    object: t.Literal["campaign"]
    id: str
    name: str
    status: t.Literal["draft", "scheduled", "sending", "paused", "sent", "canceled"]
    sender_id: t.Optional[str]
    template_id: t.Optional[str]
    subject: t.Optional[str]
    preview_text: t.Optional[str]
    reply_to: t.Optional[str]
    segment_id: t.Optional[str]
    list_id: t.Optional[str]
    audience: Audience
    scheduled_at: t.Optional[str]
    paused_reason: t.Optional[str]
    started_at: t.Optional[str]
    ended_at: t.Optional[str]
    rate_per_hour: t.Optional[int]
    send_window: t.Optional[SendWindow]
    recipients: CampaignRecipients
    totals: CampaignCounts
    created_at: str
    updated_at: str
    html: t.Optional[str]
    text: t.Optional[str]
    rate: t.Optional[int]
    estimated_end_at: t.Optional[str]
    waits_until: t.Optional[str]


class CampaignAudience(t.TypedDict):
    object: t.Literal["campaign_audience"]
    count: int
    unsubscribed: int
    suppressed: int
    is_estimated: bool
    contacts: t.List[CampaignAudienceContact]


class CampaignAudienceContact(t.TypedDict):
    id: str
    email: str
    first_name: str
    last_name: str


class CampaignCanceledEvent(t.TypedDict):
    type: t.Literal["campaign.canceled"]
    created_at: str
    data: CampaignEventData


class CampaignChecks(t.TypedDict):
    object: t.Literal["campaign_checks"]
    data: t.List[CampaignChecksData]


class CampaignChecksData(t.TypedDict):
    code: t.Literal["incomplete", "sending_paused", "domain_unverified", "empty_audience", "missing_value", "no_unsubscribe_link", "html_too_large", "link_not_absolute", "preview_text_unused", "placeholder"]
    severity: t.Literal["error", "warning"]
    message: str


class CampaignCounts(t.TypedDict):
    attempted: int
    sent: int
    delivered: int
    bounced: int
    bounced_hard: int
    failed: int
    rejected: int
    suppressed: int
    complained: int
    opened: int
    opened_unique: int
    opened_machine: int
    clicked: int
    clicked_unique: int
    clicked_machine: int
    unsubscribed: int


class CampaignEstimate(t.TypedDict):
    object: t.Literal["campaign_estimate"]
    count: int
    is_estimated: bool
    begins_at: str
    ends_at: t.Optional[str]


class CampaignEventData(t.TypedDict):
    id: str
    name: str


class CampaignLink(t.TypedDict):
    object: t.Literal["campaign_link"]
    id: str
    url: t.Optional[str]
    clicked: int
    clicked_unique: int
    clicked_machine: int


class CampaignLinkList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[CampaignLink]


class CampaignMetrics(t.TypedDict):
    object: t.Literal["campaign_metrics"]
    id: str
    recipients: CampaignRecipients
    totals: CampaignCounts
    providers: t.List[CampaignMetricsProvider]
    hours: t.List[CampaignMetricsHour]


class CampaignMetricsHour(t.TypedDict):
    at: str
    counts: CampaignCounts


class CampaignMetricsProvider(t.TypedDict):
    provider: str
    counts: CampaignCounts


class CampaignPausedEvent(t.TypedDict):
    type: t.Literal["campaign.paused"]
    created_at: str
    data: CampaignPausedEventData


class CampaignPausedEventData(t.TypedDict):
    id: str
    name: str
    reason: str


CampaignPreview = t.TypedDict(
    "CampaignPreview",
    {
        "object": "t.Literal['campaign_preview']",
        "from": "t.Optional[str]",
        "reply_to": "t.Optional[str]",
        "subject": "str",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "missing": "t.List[str]",
        "warnings": "t.List[TemplateWarning]",
    },
)


class CampaignRecipient(t.TypedDict):
    object: t.Literal["campaign_recipient"]
    id: str
    contact_id: str
    email: t.Optional[str]
    state: t.Literal["waiting", "accepted", "skipped", "failed"]
    reason: t.Optional[str]
    email_id: t.Optional[str]
    email_status: t.Optional[str]
    updated_at: str


class CampaignRecipientList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[CampaignRecipient]


class CampaignRecipients(t.TypedDict):
    waiting: int
    accepted: int
    skipped: int
    failed: int


class CampaignResumedEvent(t.TypedDict):
    type: t.Literal["campaign.resumed"]
    created_at: str
    data: CampaignEventData


class CampaignRetry(t.TypedDict):
    object: t.Literal["campaign_retry"]
    campaign_id: str
    count: int


class CampaignSentEvent(t.TypedDict):
    type: t.Literal["campaign.sent"]
    created_at: str
    data: CampaignSentEventData


class CampaignSentEventData(t.TypedDict):
    id: str
    name: str
    recipients: CampaignSentEventDataRecipients


class CampaignSentEventDataRecipients(t.TypedDict):
    accepted: int
    skipped: int
    failed: int


class CampaignStartedEvent(t.TypedDict):
    type: t.Literal["campaign.started"]
    created_at: str
    data: CampaignEventData


class CampaignSummary(t.TypedDict):
    object: t.Literal["campaign"]
    id: str
    name: str
    status: t.Literal["draft", "scheduled", "sending", "paused", "sent", "canceled"]
    sender_id: t.Optional[str]
    template_id: t.Optional[str]
    subject: t.Optional[str]
    preview_text: t.Optional[str]
    reply_to: t.Optional[str]
    segment_id: t.Optional[str]
    list_id: t.Optional[str]
    audience: Audience
    scheduled_at: t.Optional[str]
    paused_reason: t.Optional[str]
    started_at: t.Optional[str]
    ended_at: t.Optional[str]
    rate_per_hour: t.Optional[int]
    send_window: t.Optional[SendWindow]
    recipients: CampaignRecipients
    totals: CampaignCounts
    created_at: str
    updated_at: str


class CampaignSummaryList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[CampaignSummary]


class CampaignTest(t.TypedDict):
    object: t.Literal["campaign_test"]
    data: t.List[CampaignTestData]


class CampaignTestData(t.TypedDict):
    to: str
    id: t.Optional[str]
    error: t.Optional[str]


CapturedEmail = t.TypedDict(
    "CapturedEmail",
    {
        "object": "t.Literal['captured']",
        "id": "str",
        "email_id": "t.Optional[str]",
        "envelope_from": "str",
        "envelope_to": "str",
        "from": "t.List[Mailbox]",
        "to": "t.List[Mailbox]",
        "subject": "t.Optional[str]",
        "received_at": "str",
        "cc": "t.List[Mailbox]",
        "reply_to": "t.List[Mailbox]",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "headers": "t.List[CapturedEmailHeader]",
        "attachments": "t.List[CapturedEmailAttachment]",
        "raw": "str",
    },
)


class CapturedEmailAttachment(t.TypedDict):
    filename: t.Optional[str]
    content_type: str
    content_id: t.Optional[str]
    size: int
    content: str


class CapturedEmailHeader(t.TypedDict):
    name: str
    value: str


CapturedEmailSummary = t.TypedDict(
    "CapturedEmailSummary",
    {
        "object": "t.Literal['captured']",
        "id": "str",
        "email_id": "t.Optional[str]",
        "envelope_from": "str",
        "envelope_to": "str",
        "from": "t.List[Mailbox]",
        "to": "t.List[Mailbox]",
        "subject": "t.Optional[str]",
        "received_at": "str",
    },
)


class CapturedEmailSummaryList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[CapturedEmailSummary]


class Contact(t.TypedDict):
    object: t.Literal["contact"]
    id: str
    email: str
    first_name: str
    last_name: str
    user_id: str
    time_zone: str
    unsubscribed: bool
    properties: t.Dict[str, t.Union[str, float]]
    lists: t.List[ListRef]
    created_at: str
    updated_at: str


class ContactCreatedEvent(t.TypedDict):
    type: t.Literal["contact.created"]
    created_at: str
    data: ContactEventData


class ContactDeletedEvent(t.TypedDict):
    type: t.Literal["contact.deleted"]
    created_at: str
    data: ContactEventData


class _ContactEventData(t.TypedDict):
    id: str
    email: str


_ContactEventDataOptional = t.TypedDict(
    "_ContactEventDataOptional",
    {
        "first_name": "t.Optional[str]",
        "last_name": "t.Optional[str]",
        "unsubscribed": "bool",
        "created_at": "str",
        "updated_at": "str",
        "automation": "ContactEventDataAutomation",
        "import": "ContactEventDataImport",
    },
    total=False,
)


class ContactEventData(_ContactEventData, _ContactEventDataOptional):
    pass


class ContactEventDataAutomation(t.TypedDict):
    id: str
    run_id: str
    depth: int


class ContactEventDataImport(t.TypedDict):
    id: str
    runs_automations: bool


class ContactEventEvent(t.TypedDict):
    type: t.Literal["contact.event"]
    created_at: str
    data: ContactReportedEventData


class ContactList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[Contact]


class _ContactListEventData(t.TypedDict):
    id: str
    email: str
    list_id: str


_ContactListEventDataOptional = t.TypedDict(
    "_ContactListEventDataOptional",
    {
        "first_name": "t.Optional[str]",
        "last_name": "t.Optional[str]",
        "unsubscribed": "bool",
        "created_at": "str",
        "updated_at": "str",
        "automation": "ContactListEventDataAutomation",
        "import": "ContactListEventDataImport",
    },
    total=False,
)


class ContactListEventData(_ContactListEventData, _ContactListEventDataOptional):
    pass


class ContactListEventDataAutomation(t.TypedDict):
    id: str
    run_id: str
    depth: int


class ContactListEventDataImport(t.TypedDict):
    id: str
    runs_automations: bool


class ContactListJoinedEvent(t.TypedDict):
    type: t.Literal["contact.list_joined"]
    created_at: str
    data: ContactListEventData


class ContactListLeftEvent(t.TypedDict):
    type: t.Literal["contact.list_left"]
    created_at: str
    data: ContactListEventData


class _ContactReportedEventData(t.TypedDict):
    id: str
    email: str
    event: str
    payload: t.Dict[str, t.Any]
    occurred_at: str


_ContactReportedEventDataOptional = t.TypedDict(
    "_ContactReportedEventDataOptional",
    {
        "first_name": "t.Optional[str]",
        "last_name": "t.Optional[str]",
        "unsubscribed": "bool",
        "created_at": "str",
        "updated_at": "str",
        "automation": "ContactReportedEventDataAutomation",
        "import": "ContactReportedEventDataImport",
    },
    total=False,
)


class ContactReportedEventData(_ContactReportedEventData, _ContactReportedEventDataOptional):
    pass


class ContactReportedEventDataAutomation(t.TypedDict):
    id: str
    run_id: str
    depth: int


class ContactReportedEventDataImport(t.TypedDict):
    id: str
    runs_automations: bool


class ContactUnsubscribedEvent(t.TypedDict):
    type: t.Literal["contact.unsubscribed"]
    created_at: str
    data: ContactUnsubscribedEventData


class _ContactUnsubscribedEventData(t.TypedDict):
    id: t.Optional[str]
    email: str


_ContactUnsubscribedEventDataOptional = t.TypedDict(
    "_ContactUnsubscribedEventDataOptional",
    {
        "first_name": "t.Optional[str]",
        "last_name": "t.Optional[str]",
        "unsubscribed": "bool",
        "created_at": "str",
        "updated_at": "str",
        "automation": "ContactUnsubscribedEventDataAutomation",
        "import": "ContactUnsubscribedEventDataImport",
        "list_id": "str",
        "topic": "str",
        "email_id": "str",
        "source": "str",
    },
    total=False,
)


class ContactUnsubscribedEventData(_ContactUnsubscribedEventData, _ContactUnsubscribedEventDataOptional):
    pass


class ContactUnsubscribedEventDataAutomation(t.TypedDict):
    id: str
    run_id: str
    depth: int


class ContactUnsubscribedEventDataImport(t.TypedDict):
    id: str
    runs_automations: bool


class ContactUpdatedEvent(t.TypedDict):
    type: t.Literal["contact.updated"]
    created_at: str
    data: ContactUpdatedEventData


class _ContactUpdatedEventData(t.TypedDict):
    id: str
    email: str


_ContactUpdatedEventDataOptional = t.TypedDict(
    "_ContactUpdatedEventDataOptional",
    {
        "first_name": "t.Optional[str]",
        "last_name": "t.Optional[str]",
        "unsubscribed": "bool",
        "created_at": "str",
        "updated_at": "str",
        "automation": "ContactUpdatedEventDataAutomation",
        "import": "ContactUpdatedEventDataImport",
        "changes": "t.Dict[str, ContactUpdatedEventDataChange]",
    },
    total=False,
)


class ContactUpdatedEventData(_ContactUpdatedEventData, _ContactUpdatedEventDataOptional):
    pass


class ContactUpdatedEventDataAutomation(t.TypedDict):
    id: str
    run_id: str
    depth: int


ContactUpdatedEventDataChange = t.TypedDict(
    "ContactUpdatedEventDataChange",
    {
        "from": "t.Optional[t.Union[str, float, bool]]",
        "to": "t.Optional[t.Union[str, float, bool]]",
    },
)


class ContactUpdatedEventDataImport(t.TypedDict):
    id: str
    runs_automations: bool


class CountSegmentContactsRequest(t.TypedDict, total=False):
    match_type: t.Optional[t.Literal["all", "any"]]
    filters: t.Optional[SegmentFiltersInput]


class _CreateApiKeyRequest(t.TypedDict):
    name: str


class CreateApiKeyRequest(_CreateApiKeyRequest, total=False):
    permission: t.Optional[t.Literal["full", "send", "full_access", "sending_access"]]
    domain_id: t.Optional[str]
    expires_at: t.Optional[str]


class _CreateAutomationRequest(t.TypedDict):
    name: str


class CreateAutomationRequest(_CreateAutomationRequest, total=False):
    status: t.Optional[t.Literal["draft", "active", "paused", "enabled", "disabled"]]
    trigger: t.Optional[AutomationTrigger]
    steps: t.Optional[t.List[AutomationStepInput]]
    connections: t.Optional[t.List[AutomationConnection]]
    settings: t.Optional[AutomationSettings]


CreateBroadcastRequest = t.TypedDict(
    "CreateBroadcastRequest",
    {
        "name": "t.Optional[str]",
        "segment_id": "t.Optional[str]",
        "audience_id": "t.Optional[str]",
        "from": "t.Optional[str]",
        "subject": "t.Optional[str]",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "reply_to": "t.Optional[t.Union[str, t.List[str]]]",
        "preview_text": "t.Optional[str]",
        "topic_id": "None",
        "send": "t.Optional[bool]",
        "scheduled_at": "t.Union[str, datetime, None]",
    },
    total=False,
)


class _CreateCampaignRequest(t.TypedDict):
    name: str


class CreateCampaignRequest(_CreateCampaignRequest, total=False):
    sender_id: t.Optional[str]
    template_id: t.Optional[str]
    subject: t.Optional[str]
    preview_text: t.Optional[str]
    reply_to: t.Optional[str]
    html: t.Optional[str]
    text: t.Optional[str]
    segment_id: t.Optional[str]
    list_id: t.Optional[str]
    audience: t.Optional[AudienceInput]
    status: t.Optional[t.Literal["draft", "scheduled", "sending", "paused", "canceled"]]
    scheduled_at: t.Union[str, datetime, None]
    rate_per_hour: t.Optional[int]
    send_window: t.Optional[SendWindow]


class _CreateContactRequest(t.TypedDict):
    email: str


class CreateContactRequest(_CreateContactRequest, total=False):
    first_name: t.Optional[str]
    last_name: t.Optional[str]
    user_id: t.Optional[str]
    time_zone: t.Optional[str]
    unsubscribed: t.Optional[bool]
    list_ids: t.Optional[t.List[str]]
    properties: t.Optional[t.Dict[str, t.Optional[t.Union[str, float]]]]


class _CreateDomainRequest(t.TypedDict):
    name: str


class CreateDomainRequest(_CreateDomainRequest, total=False):
    open_tracking: t.Optional[bool]
    click_tracking: t.Optional[bool]
    tls: t.Optional[t.Literal["opportunistic", "enforced"]]
    dkim_ed25519: t.Optional[bool]


class _CreateEventDefinitionRequest(t.TypedDict):
    name: str


class CreateEventDefinitionRequest(_CreateEventDefinitionRequest, total=False):
    schema: t.Optional[t.Dict[str, t.Literal["string", "number", "boolean", "date"]]]


class CreateListRequest(t.TypedDict):
    name: str


class _CreatePropertyRequest(t.TypedDict):
    key: str
    type: t.Literal["string", "number", "date"]


class CreatePropertyRequest(_CreatePropertyRequest, total=False):
    fallback_value: t.Optional[str]


class _CreateSegmentRequest(t.TypedDict):
    name: str


class CreateSegmentRequest(_CreateSegmentRequest, total=False):
    match_type: t.Optional[t.Literal["all", "any"]]
    filters: t.Optional[SegmentFiltersInput]


class _CreateSenderRequest(t.TypedDict):
    name: str
    username: str
    domain_id: str


class CreateSenderRequest(_CreateSenderRequest, total=False):
    reply_to: t.Optional[str]


class _CreateTeamRequest(t.TypedDict):
    name: str


class CreateTeamRequest(_CreateTeamRequest, total=False):
    plan: t.Optional[t.Literal["free", "10k", "25k", "50k", "75k", "100k", "150k", "250k", "500k", "750k", "1m", "2m", "5m", "unlimited"]]


class CreateTemplateFolderRequest(t.TypedDict):
    name: str


class _CreateTemplateRequest(t.TypedDict):
    name: str
    subject: str


_CreateTemplateRequestOptional = t.TypedDict(
    "_CreateTemplateRequestOptional",
    {
        "sender_id": "t.Optional[str]",
        "from": "t.Optional[str]",
        "html_content": "t.Optional[str]",
        "text_content": "t.Optional[str]",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "reply_to": "t.Optional[t.Union[str, t.List[str]]]",
        "folder_id": "t.Optional[str]",
        "alias": "t.Optional[str]",
        "status": "t.Optional[t.Literal['published', 'draft']]",
        "variables": "t.Optional[t.List[TemplateVariableInput]]",
    },
    total=False,
)


class CreateTemplateRequest(_CreateTemplateRequest, _CreateTemplateRequestOptional):
    pass


class _CreateUnsubscriptionRequest(t.TypedDict):
    email: str


class CreateUnsubscriptionRequest(_CreateUnsubscriptionRequest, total=False):
    list_id: t.Optional[str]
    topic: t.Optional[str]


class CreateWebhookRequest(t.TypedDict, total=False):
    endpoint: t.Optional[str]
    url: t.Optional[str]
    events: t.Optional[t.List[str]]
    description: t.Optional[str]


class DatabaseHealth(t.TypedDict):
    reachable: t.Literal[True]
    kind: t.Literal["embedded", "external"]
    version: str
    size_bytes: int
    in_recovery: bool
    connections: int
    connections_max: int
    replicas: t.List[DatabaseHealthReplica]


class DatabaseHealth1(t.TypedDict):
    reachable: t.Literal[False]
    kind: t.Literal["embedded", "external"]


class DatabaseHealthReplica(t.TypedDict):
    name: str
    state: t.Optional[str]
    lag_bytes: t.Optional[int]


class DeleteCapturedEmailsResponse(t.TypedDict):
    object: t.Literal["captured"]
    deleted: t.Literal[True]
    count: int


class Deleted(t.TypedDict):
    object: str
    id: str
    deleted: t.Literal[True]


class DeletedContact(t.TypedDict):
    object: t.Literal["contact"]
    id: str
    contact: str
    deleted: t.Literal[True]


class DeletedListMembership(t.TypedDict):
    object: t.Literal["contact_list"]
    id: str
    contact: str
    deleted: t.Literal[True]


class DeletedSegmentMembership(t.TypedDict):
    object: t.Literal["contact_segment"]
    id: str
    audienceId: str
    deleted: t.Literal[True]


class DeliveryTimes(t.TypedDict):
    p50: t.Optional[int]
    p90: t.Optional[int]
    p95: t.Optional[int]
    p99: t.Optional[int]


class DnsProvider(t.TypedDict):
    object: t.Literal["dns_provider"]
    zone: t.Optional[str]
    name_servers: t.List[str]
    name: t.Optional[str]
    url: t.Optional[str]


class DnsRecord(t.TypedDict):
    record: str
    type: str
    name: str
    value: str
    ttl: str
    status: t.Literal["pending", "verified", "failed", "temporary_failure"]
    required: bool
    found: t.Optional[t.List[str]]
    advice: t.Optional[str]
    checked_at: t.Optional[str]


class Domain(t.TypedDict):
    object: t.Literal["domain"]
    id: str
    name: str
    status: t.Literal["pending", "verified", "failed", "temporary_failure"]
    status_reason: t.Optional[str]
    captured: bool
    open_tracking: bool
    click_tracking: bool
    tls: t.Literal["opportunistic", "enforced"]
    dkim_ed25519: bool
    region: None
    capabilities: DomainCapabilities
    verified_at: t.Optional[str]
    checked_at: t.Optional[str]
    created_at: str
    updated_at: str
    records: t.List[DnsRecord]


class DomainCapabilities(t.TypedDict):
    sending: t.Literal["enabled"]
    receiving: t.Literal["disabled"]


class DomainCreatedEvent(t.TypedDict):
    type: t.Literal["domain.created"]
    created_at: str
    data: DomainEventData


class DomainDeletedEvent(t.TypedDict):
    type: t.Literal["domain.deleted"]
    created_at: str
    data: DomainEventData


class DomainEventData(t.TypedDict):
    id: str
    name: str
    status: str
    reason: t.Optional[str]
    created_at: str


class DomainFailedEvent(t.TypedDict):
    type: t.Literal["domain.failed"]
    created_at: str
    data: DomainEventData


class DomainRef(t.TypedDict):
    id: str
    name: t.Optional[str]


class DomainSummary(t.TypedDict):
    object: t.Literal["domain"]
    id: str
    name: str
    status: t.Literal["pending", "verified", "failed", "temporary_failure"]
    status_reason: t.Optional[str]
    captured: bool
    open_tracking: bool
    click_tracking: bool
    tls: t.Literal["opportunistic", "enforced"]
    dkim_ed25519: bool
    region: None
    capabilities: DomainSummaryCapabilities
    verified_at: t.Optional[str]
    checked_at: t.Optional[str]
    created_at: str
    updated_at: str


class DomainSummaryCapabilities(t.TypedDict):
    sending: t.Literal["enabled"]
    receiving: t.Literal["disabled"]


class DomainSummaryList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[DomainSummary]


class DomainVerifiedEvent(t.TypedDict):
    type: t.Literal["domain.verified"]
    created_at: str
    data: DomainEventData


class DryRunAutomationRequest(t.TypedDict, total=False):
    contact_id: t.Optional[str]
    email: t.Optional[str]
    payload: t.Optional[t.Dict[str, t.Any]]
    events: t.Optional[t.List[str]]


Email = t.TypedDict(
    "Email",
    {
        "object": "t.Literal['email']",
        "id": "str",
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "cc": "t.List[str]",
        "bcc": "t.List[str]",
        "reply_to": "t.List[str]",
        "subject": "str",
        "tags": "t.List[EmailTag]",
        "status": "t.Literal['scheduled', 'queued', 'sent', 'delivered', 'delivery_delayed', 'bounced', 'failed', 'suppressed', 'canceled', 'rejected', 'partially_delivered']",
        "last_event": "str",
        "class": "t.Literal['transactional', 'bulk']",
        "domain": "DomainRef",
        "template": "t.Optional[TemplateRef]",
        "scheduled_at": "t.Optional[str]",
        "sent_at": "t.Optional[str]",
        "created_at": "str",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "headers": "t.Dict[str, t.Union[str, t.List[str]]]",
        "attachments": "t.List[AttachmentSummary]",
        "content_expired": "bool",
        "recipients": "t.List[EmailRecipient]",
        "events": "t.List[EmailEvent]",
    },
)


class EmailAttachment(t.TypedDict):
    object: t.Literal["attachment"]
    id: str
    filename: str
    size: int
    content_type: str
    content_disposition: t.Literal["inline", "attachment"]
    content_id: t.Optional[str]
    download_url: str
    expires_at: str


class EmailAttachmentList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[EmailAttachment]


class EmailBouncedEvent(t.TypedDict):
    type: t.Literal["email.bounced"]
    created_at: str
    data: EmailBouncedEventData


class _EmailBouncedEventData(t.TypedDict):
    email_id: str
    recipient: str
    bounce: EmailBouncedEventDataBounce


_EmailBouncedEventDataOptional = t.TypedDict(
    "_EmailBouncedEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
        "response": "str",
        "smtp_code": "int",
        "enhanced_code": "str",
        "mx_host": "str",
        "source": "str",
        "notice_recipient": "str",
        "category": "str",
        "advice": "str",
    },
    total=False,
)


class EmailBouncedEventData(_EmailBouncedEventData, _EmailBouncedEventDataOptional):
    pass


class EmailBouncedEventDataBounce(t.TypedDict):
    type: str
    subType: str
    message: str


class EmailCanceledEvent(t.TypedDict):
    type: t.Literal["email.canceled"]
    created_at: str
    data: EmailCanceledEventData


class _EmailCanceledEventData(t.TypedDict):
    email_id: str


_EmailCanceledEventDataOptional = t.TypedDict(
    "_EmailCanceledEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
        "recipient": "str",
    },
    total=False,
)


class EmailCanceledEventData(_EmailCanceledEventData, _EmailCanceledEventDataOptional):
    pass


class EmailClickedEvent(t.TypedDict):
    type: t.Literal["email.clicked"]
    created_at: str
    data: EmailClickedEventData


class _EmailClickedEventData(t.TypedDict):
    email_id: str
    recipient: t.Optional[str]
    ip_address: str
    user_agent: t.Optional[str]
    is_machine: bool
    machine_reason: t.Optional[str]
    link: str
    click: EmailClickedEventDataClick


_EmailClickedEventDataOptional = t.TypedDict(
    "_EmailClickedEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
    },
    total=False,
)


class EmailClickedEventData(_EmailClickedEventData, _EmailClickedEventDataOptional):
    pass


class EmailClickedEventDataClick(t.TypedDict):
    link: str
    ipAddress: str
    userAgent: str
    timestamp: str


class EmailComplainedEvent(t.TypedDict):
    type: t.Literal["email.complained"]
    created_at: str
    data: EmailComplainedEventData


class _EmailComplainedEventData(t.TypedDict):
    email_id: str
    recipient: str


_EmailComplainedEventDataOptional = t.TypedDict(
    "_EmailComplainedEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
        "feedback": "str",
        "source": "str",
    },
    total=False,
)


class EmailComplainedEventData(_EmailComplainedEventData, _EmailComplainedEventDataOptional):
    pass


class EmailCounts(t.TypedDict):
    emails: int
    accepted: int
    queued: int
    scheduled: int
    canceled: int
    attempted: int
    sent: int
    delivered: int
    delivery_delayed: int
    bounced: int
    bounced_hard: int
    failed: int
    rejected: int
    suppressed: int
    complained: int
    opened: int
    opened_unique: int
    opened_machine: int
    clicked: int
    clicked_unique: int
    clicked_machine: int


class EmailDeliveredEvent(t.TypedDict):
    type: t.Literal["email.delivered"]
    created_at: str
    data: EmailReplyEventData


class EmailDeliveryDelayedEvent(t.TypedDict):
    type: t.Literal["email.delivery_delayed"]
    created_at: str
    data: EmailDeliveryDelayedEventData


class _EmailDeliveryDelayedEventData(t.TypedDict):
    email_id: str
    recipient: str


_EmailDeliveryDelayedEventDataOptional = t.TypedDict(
    "_EmailDeliveryDelayedEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
        "response": "str",
        "smtp_code": "int",
        "enhanced_code": "str",
        "mx_host": "str",
        "source": "str",
        "notice_recipient": "str",
        "category": "str",
        "advice": "str",
        "next_attempt_at": "str",
    },
    total=False,
)


class EmailDeliveryDelayedEventData(_EmailDeliveryDelayedEventData, _EmailDeliveryDelayedEventDataOptional):
    pass


class EmailEvent(t.TypedDict):
    object: t.Literal["event"]
    id: str
    type: t.Literal["email.queued", "email.scheduled", "email.sent", "email.delivered", "email.delivery_delayed", "email.bounced", "email.failed", "email.rejected", "email.suppressed", "email.canceled", "email.complained", "email.opened", "email.clicked", "email.received", "contact.created", "contact.updated", "contact.deleted", "contact.list_joined", "contact.list_left", "contact.event", "contact.unsubscribed", "domain.created", "domain.verified", "domain.failed", "domain.deleted", "suppression.added", "suppression.removed", "campaign.started", "campaign.paused", "campaign.resumed", "campaign.sent", "campaign.canceled", "webhook.disabled", "team.paused", "team.resumed"]
    created_at: str
    data: t.Dict[str, t.Any]


class _EmailEventData(t.TypedDict):
    email_id: str


_EmailEventDataOptional = t.TypedDict(
    "_EmailEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
    },
    total=False,
)


class EmailEventData(_EmailEventData, _EmailEventDataOptional):
    pass


class EmailFailedEvent(t.TypedDict):
    type: t.Literal["email.failed"]
    created_at: str
    data: EmailFailedEventData


class _EmailFailedEventData(t.TypedDict):
    email_id: str
    recipient: str
    failed: EmailFailedEventDataFailed


_EmailFailedEventDataOptional = t.TypedDict(
    "_EmailFailedEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
        "response": "str",
        "smtp_code": "int",
        "enhanced_code": "str",
        "mx_host": "str",
        "source": "str",
        "notice_recipient": "str",
        "category": "str",
        "advice": "str",
    },
    total=False,
)


class EmailFailedEventData(_EmailFailedEventData, _EmailFailedEventDataOptional):
    pass


class EmailFailedEventDataFailed(t.TypedDict):
    reason: str


class EmailMetrics(t.TypedDict):
    object: t.Literal["metrics"]
    interval: t.Literal["hour", "day"]
    time_zone: str
    start_date: str
    end_date: str
    as_of: t.Optional[str]
    totals: EmailCounts
    rates: EmailRates
    time_to_deliver_ms: DeliveryTimes
    series: t.List[EmailMetricsSerie]
    group_by: t.Optional[t.Literal["domain", "tag", "template", "sender", "provider", "reason"]]
    groups: t.List[EmailMetricsGroup]


class EmailMetricsGroup(t.TypedDict):
    key: str
    name: t.Optional[str]
    counts: EmailCounts
    rates: EmailRates
    time_to_deliver_ms: DeliveryTimes


class EmailMetricsSerie(t.TypedDict):
    at: str
    counts: EmailCounts
    rates: EmailRates
    time_to_deliver_ms: DeliveryTimes


class EmailOpenedEvent(t.TypedDict):
    type: t.Literal["email.opened"]
    created_at: str
    data: EmailVisitEventData


class EmailOutcomes(t.TypedDict):
    emails: int
    delivered: int
    sent: int
    partially_delivered: int
    bounced: int
    failed: int
    rejected: int
    suppressed: int
    canceled: int
    in_progress: int
    opened: int
    clicked: int
    complained: int


class EmailQueuedEvent(t.TypedDict):
    type: t.Literal["email.queued"]
    created_at: str
    data: EmailEventData


class EmailRates(t.TypedDict):
    delivered: t.Optional[float]
    bounced: t.Optional[float]
    complained: t.Optional[float]
    opened: t.Optional[float]
    clicked: t.Optional[float]


class _EmailReasonEventData(t.TypedDict):
    email_id: str
    recipient: str


_EmailReasonEventDataOptional = t.TypedDict(
    "_EmailReasonEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
        "response": "str",
        "smtp_code": "int",
        "enhanced_code": "str",
        "mx_host": "str",
        "source": "str",
        "notice_recipient": "str",
        "category": "str",
        "advice": "str",
    },
    total=False,
)


class EmailReasonEventData(_EmailReasonEventData, _EmailReasonEventDataOptional):
    pass


class EmailReceivedEvent(t.TypedDict):
    type: t.Literal["email.received"]
    created_at: str
    data: EmailEventData


class EmailRecipient(t.TypedDict):
    email: str
    type: t.Literal["to", "cc", "bcc"]
    status: t.Literal["scheduled", "queued", "sent", "delivered", "delivery_delayed", "bounced", "failed", "suppressed", "canceled", "rejected"]
    smtp_code: t.Optional[int]
    enhanced_code: t.Optional[str]
    response: t.Optional[str]
    category: t.Optional[str]
    advice: t.Optional[str]
    mx_host: t.Optional[str]
    attempts: int
    next_attempt_at: t.Optional[str]
    updated_at: str


class EmailRef(t.TypedDict):
    object: t.Literal["email"]
    id: str


class EmailRejectedEvent(t.TypedDict):
    type: t.Literal["email.rejected"]
    created_at: str
    data: EmailReasonEventData


class _EmailReplyEventData(t.TypedDict):
    email_id: str
    recipient: str


_EmailReplyEventDataOptional = t.TypedDict(
    "_EmailReplyEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
        "response": "str",
        "smtp_code": "int",
        "enhanced_code": "str",
        "mx_host": "str",
        "source": "str",
        "notice_recipient": "str",
    },
    total=False,
)


class EmailReplyEventData(_EmailReplyEventData, _EmailReplyEventDataOptional):
    pass


class EmailScheduledEvent(t.TypedDict):
    type: t.Literal["email.scheduled"]
    created_at: str
    data: EmailScheduledEventData


class _EmailScheduledEventData(t.TypedDict):
    email_id: str


_EmailScheduledEventDataOptional = t.TypedDict(
    "_EmailScheduledEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
        "scheduled_at": "str",
    },
    total=False,
)


class EmailScheduledEventData(_EmailScheduledEventData, _EmailScheduledEventDataOptional):
    pass


class EmailSentEvent(t.TypedDict):
    type: t.Literal["email.sent"]
    created_at: str
    data: EmailReplyEventData


EmailSummary = t.TypedDict(
    "EmailSummary",
    {
        "object": "t.Literal['email']",
        "id": "str",
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "cc": "t.List[str]",
        "bcc": "t.List[str]",
        "reply_to": "t.List[str]",
        "subject": "str",
        "tags": "t.List[EmailSummaryTag]",
        "status": "t.Literal['scheduled', 'queued', 'sent', 'delivered', 'delivery_delayed', 'bounced', 'failed', 'suppressed', 'canceled', 'rejected', 'partially_delivered']",
        "last_event": "str",
        "class": "t.Literal['transactional', 'bulk']",
        "domain": "DomainRef",
        "template": "t.Optional[TemplateRef]",
        "scheduled_at": "t.Optional[str]",
        "sent_at": "t.Optional[str]",
        "created_at": "str",
    },
)


class EmailSummaryList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[EmailSummary]


class EmailSummaryTag(t.TypedDict):
    name: str
    value: str


class EmailSuppressedEvent(t.TypedDict):
    type: t.Literal["email.suppressed"]
    created_at: str
    data: EmailSuppressedEventData


class _EmailSuppressedEventData(t.TypedDict):
    email_id: str
    recipient: str
    suppressed: EmailSuppressedEventDataSuppressed


_EmailSuppressedEventDataOptional = t.TypedDict(
    "_EmailSuppressedEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
        "response": "str",
        "smtp_code": "int",
        "enhanced_code": "str",
        "mx_host": "str",
        "source": "str",
        "notice_recipient": "str",
        "category": "str",
        "advice": "str",
    },
    total=False,
)


class EmailSuppressedEventData(_EmailSuppressedEventData, _EmailSuppressedEventDataOptional):
    pass


class EmailSuppressedEventDataSuppressed(t.TypedDict):
    type: str
    message: str


class EmailTag(t.TypedDict):
    name: str
    value: str


class _EmailVisitEventData(t.TypedDict):
    email_id: str
    recipient: t.Optional[str]
    ip_address: str
    user_agent: t.Optional[str]
    is_machine: bool
    machine_reason: t.Optional[str]


_EmailVisitEventDataOptional = t.TypedDict(
    "_EmailVisitEventDataOptional",
    {
        "message_id": "str",
        "from": "str",
        "to": "t.List[str]",
        "subject": "str",
        "created_at": "str",
        "tags": "t.Dict[str, str]",
        "template_id": "t.Optional[str]",
    },
    total=False,
)


class EmailVisitEventData(_EmailVisitEventData, _EmailVisitEventDataOptional):
    pass


class ErasePersonRequest(t.TypedDict, total=False):
    keep_suppressed: t.Optional[bool]


class Erasure(t.TypedDict):
    object: t.Literal["erasure"]
    id: str
    status: t.Literal["running", "waiting", "completed"]
    emails: int
    waiting_emails: int
    created_at: str
    finished_at: t.Optional[str]


class Event(t.TypedDict):
    object: t.Literal["event"]
    id: str
    type: t.Literal["email.queued", "email.scheduled", "email.sent", "email.delivered", "email.delivery_delayed", "email.bounced", "email.failed", "email.rejected", "email.suppressed", "email.canceled", "email.complained", "email.opened", "email.clicked", "email.received", "contact.created", "contact.updated", "contact.deleted", "contact.list_joined", "contact.list_left", "contact.event", "contact.unsubscribed", "domain.created", "domain.verified", "domain.failed", "domain.deleted", "suppression.added", "suppression.removed", "campaign.started", "campaign.paused", "campaign.resumed", "campaign.sent", "campaign.canceled", "webhook.disabled", "team.paused", "team.resumed"]
    created_at: str
    data: t.Dict[str, t.Any]


class EventDefinition(t.TypedDict):
    object: t.Literal["event"]
    id: str
    name: str
    schema: t.Optional[t.Dict[str, t.Literal["string", "number", "boolean", "date"]]]
    created_at: str
    updated_at: str


class EventDefinitionList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[EventDefinition]


class EventPage(t.TypedDict):
    object: t.Literal["list"]
    data: t.List[Event]
    has_more: bool
    next_cursor: str


class ExportPersonResponse(t.TypedDict, total=False):
    pass


class GoLive(t.TypedDict):
    object: t.Literal["go_live"]
    delivery: t.Literal["capture", "direct", "relay"]
    domain: t.Optional[GoLiveDomain]
    email: t.Optional[GoLiveEmail]
    server: t.Optional[t.Literal["ok", "note", "warning", "problem"]]


class GoLiveDomain(t.TypedDict):
    id: str
    name: str
    status: t.Literal["pending", "verified", "failed", "temporary_failure"]
    captured: bool


class GoLiveEmail(t.TypedDict):
    id: str
    recipient: str
    status: str
    host: t.Optional[str]
    response: t.Optional[str]
    updated_at: str


Import = t.TypedDict(
    "Import",
    {
        "object": "t.Literal['import']",
        "id": "str",
        "kind": "t.Literal['contacts', 'suppressions']",
        "dry_run": "bool",
        "status": "t.Literal['receiving', 'queued', 'running', 'completed', 'failed']",
        "bytes": "int",
        "bytes_done": "int",
        "progress": "int",
        "rows_read": "int",
        "rows_created": "int",
        "rows_updated": "int",
        "rows_unchanged": "int",
        "rows_failed": "int",
        "reason": "t.Optional[str]",
        "created_at": "str",
        "updated_at": "str",
        "finished_at": "t.Optional[str]",
        "errors": "t.List[ImportError]",
    },
)


class ImportError(t.TypedDict):
    object: t.Literal["import_error"]
    id: str
    line: int
    message: str
    value: t.Optional[str]


class ImportErrorList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[ImportError]


ImportSummary = t.TypedDict(
    "ImportSummary",
    {
        "object": "t.Literal['import']",
        "id": "str",
        "kind": "t.Literal['contacts', 'suppressions']",
        "dry_run": "bool",
        "status": "t.Literal['receiving', 'queued', 'running', 'completed', 'failed']",
        "bytes": "int",
        "bytes_done": "int",
        "progress": "int",
        "rows_read": "int",
        "rows_created": "int",
        "rows_updated": "int",
        "rows_unchanged": "int",
        "rows_failed": "int",
        "reason": "t.Optional[str]",
        "created_at": "str",
        "updated_at": "str",
        "finished_at": "t.Optional[str]",
    },
)


class ImportSummaryList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[ImportSummary]


class InstallationHealth(t.TypedDict):
    object: t.Literal["health"]
    as_of: str
    version: str
    status: t.Literal["ok", "warning", "problem"]
    delivery: t.Literal["capture", "direct", "relay"]
    database: t.Union[DatabaseHealth, DatabaseHealth1]
    disk: t.Optional[InstallationHealthDisk]
    queue: t.Optional[InstallationHealthQueue]
    certificate_expires_at: t.Optional[str]
    last_backup: t.Optional[InstallationHealthLastBackup]
    findings: t.List[InstallationHealthFinding]


class InstallationHealthDisk(t.TypedDict):
    free_bytes: int
    total_bytes: int


class InstallationHealthFinding(t.TypedDict):
    check: str
    level: t.Literal["ok", "note", "warning", "problem"]
    found: str
    advice: t.Optional[str]


InstallationHealthLastBackup = t.TypedDict(
    "InstallationHealthLastBackup",
    {
        "made_at": "str",
        "rows": "int",
        "bytes": "int",
    },
)


class InstallationHealthQueue(t.TypedDict):
    oldest_ready_seconds: int
    oldest_ready_seconds_max: t.Optional[float]


class InviteToTeamRequest(t.TypedDict):
    email: str
    role: t.Literal["owner", "admin", "member", "viewer"]


class List(t.TypedDict):
    object: t.Literal["list"]
    id: str
    name: str
    created_at: str
    updated_at: str
    contact_count: int


class ListAutomationVersionsResponse(t.TypedDict):
    object: t.Literal["list"]
    data: t.List[AutomationVersion]


class ListList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[List]


class ListRef(t.TypedDict):
    object: t.Literal["list"]
    id: str
    name: str
    created_at: str
    updated_at: str


class ListSitesResponse(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    data: t.List[Site]


class ListTeamsResponse(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    data: t.List[OperatorTeam]


class Log(t.TypedDict):
    object: t.Literal["log"]
    id: str
    created_at: str
    method: str
    endpoint: str
    route: t.Optional[str]
    response_status: int
    duration_ms: int
    request_size: t.Optional[int]
    response_size: t.Optional[int]
    user_agent: t.Optional[str]
    ip_address: t.Optional[str]
    api_key: LogApiKey
    record_id: t.Optional[str]
    request_body: None
    response_body: t.Optional[LoggedError]


class LogApiKey(t.TypedDict):
    id: str
    name: t.Optional[str]


class LogList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[Log]


class _LoggedError(t.TypedDict):
    statusCode: int
    name: str
    message: str


class LoggedError(_LoggedError, total=False):
    errors: t.Dict[str, t.List[str]]


class Mailbox(t.TypedDict):
    name: str
    address: str


class _MoveAutomationRunsRequest(t.TypedDict):
    from_version: int


class MoveAutomationRunsRequest(_MoveAutomationRunsRequest, total=False):
    dry_run: t.Optional[bool]


class Node(t.TypedDict):
    object: t.Literal["node"]
    id: str
    host: str
    process_id: int
    roles: t.List[t.Literal["api", "deliver", "inbound", "webhooks", "scheduler"]]
    version: str
    state: t.Literal["up", "silent"]
    started_at: str
    last_seen_at: str
    deliveries_held: t.Optional[int]
    sites: int
    connections: int
    memory_bytes: int


class NodeList(t.TypedDict):
    object: t.Literal["list"]
    data: t.List[Node]


class OperatorTeam(t.TypedDict):
    object: t.Literal["operator_team"]
    id: str
    name: str
    plan: t.Literal["free", "10k", "25k", "50k", "75k", "100k", "150k", "250k", "500k", "750k", "1m", "2m", "5m", "unlimited"]
    members: int
    month: OperatorTeamMonth
    day: OperatorTeamDay
    emails_this_month: int
    sending_paused_at: t.Optional[str]
    sending_paused_by: t.Optional[t.Literal["operator", "reputation"]]
    sending_paused_reason: t.Optional[str]
    guard_until: t.Optional[str]
    created_at: str


class OperatorTeamDay(t.TypedDict):
    used: int
    limit: t.Optional[int]


class OperatorTeamMonth(t.TypedDict):
    used: int
    limit: t.Optional[int]


class PageLinks(t.TypedDict):
    first: t.Optional[str]
    last: t.Optional[str]
    prev: t.Optional[str]
    next: t.Optional[str]


PageMeta = t.TypedDict(
    "PageMeta",
    {
        "current_page": "int",
        "from": "int",
        "last_page": "int",
        "path": "str",
        "per_page": "int",
        "to": "int",
        "total": "int",
    },
)


class PauseSiteRequest(t.TypedDict):
    minutes: int
    reason: str


class PauseSiteResponse(t.TypedDict):
    object: t.Literal["site"]
    name: str
    paused_until: str


class PauseTeamRequest(t.TypedDict):
    reason: str


class Plan(t.TypedDict):
    object: t.Literal["plan"]
    id: str
    name: str
    month_recipients: t.Optional[int]
    day_recipients: t.Optional[int]
    send_requests_per_minute: int
    requests_per_minute: int


class PlanList(t.TypedDict):
    object: t.Literal["list"]
    data: t.List[Plan]


class PreviewCampaignAudienceRequest(t.TypedDict, total=False):
    audience: t.Optional[AudienceInput]
    segment_id: t.Optional[str]
    list_id: t.Optional[str]


class PreviewCampaignRequest(t.TypedDict, total=False):
    contact_id: t.Optional[str]


class PreviewRequest(t.TypedDict, total=False):
    variables: t.Optional[t.Dict[str, t.Union[str, float]]]
    subject: t.Optional[str]
    html_content: t.Optional[str]
    text_content: t.Optional[str]
    html: t.Optional[str]
    text: t.Optional[str]
    variable_definitions: t.Optional[t.List[TemplateVariableInput]]
    draft: t.Optional[bool]
    allow_missing: t.Optional[bool]


class Property(t.TypedDict):
    object: t.Literal["property"]
    id: str
    key: str
    type: t.Literal["string", "number", "date"]
    fallback_value: t.Optional[str]
    created_at: str
    updated_at: str


class PropertyList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[Property]


class Queue(t.TypedDict):
    object: t.Literal["queue"]
    as_of: str
    ready: int
    leased: int
    delayed: int
    scheduled: int
    counted_up_to: int
    oldest_ready_seconds: int
    next_due_at: t.Optional[str]
    by_team: t.List[QueueByTeam]
    by_destination: t.List[QueueByDestination]
    by_site: t.List[QueueBySite]


class QueueByDestination(t.TypedDict):
    domain: str
    ready: int
    waiting: int
    oldest_ready_at: t.Optional[str]


class QueueBySite(t.TypedDict):
    name: str
    waiting: int
    paused_until: str
    reason: str


class QueueByTeam(t.TypedDict):
    team_id: str
    name: t.Optional[str]
    ready: int
    waiting: int
    oldest_ready_at: t.Optional[str]


class RemoveSuppressionsRequest(t.TypedDict, total=False):
    emails: t.Optional[t.List[str]]
    ids: t.Optional[t.List[str]]


class _ReplayWebhookEventsRequest(t.TypedDict):
    since: str


class ReplayWebhookEventsRequest(_ReplayWebhookEventsRequest, total=False):
    until: t.Optional[str]
    types: t.Optional[t.List[str]]
    only_failed: t.Optional[bool]
    cursor: t.Optional[str]


class ReportedEvent(t.TypedDict):
    object: t.Literal["event"]
    event: str


class RescheduleEmailRequest(t.TypedDict):
    scheduled_at: t.Union[str, datetime, None]


class ResendEmailRequest(t.TypedDict, total=False):
    to: t.Optional[t.Union[str, t.List[str]]]
    cc: t.Optional[t.Union[str, t.List[str]]]
    bcc: t.Optional[t.Union[str, t.List[str]]]


class ResumeSiteResponse(t.TypedDict):
    object: t.Literal["site"]
    name: str
    resumed: t.Literal[True]


class Retention(t.TypedDict):
    content: str
    attempts: str
    events: str
    webhook_deliveries: str
    object: t.Literal["retention"]
    emails: str
    limits: RetentionPeriods


class RetentionPeriods(t.TypedDict):
    content: str
    attempts: str
    events: str
    webhook_deliveries: str


SaveTemplateDraftRequest = t.TypedDict(
    "SaveTemplateDraftRequest",
    {
        "sender_id": "t.Optional[str]",
        "from": "t.Optional[str]",
        "subject": "t.Optional[str]",
        "html_content": "t.Optional[str]",
        "text_content": "t.Optional[str]",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "reply_to": "t.Optional[t.Union[str, t.List[str]]]",
        "variables": "t.Optional[t.List[TemplateVariableInput]]",
        "revision": "t.Optional[int]",
        "base_version": "t.Optional[int]",
    },
    total=False,
)


class Segment(t.TypedDict):
    object: t.Literal["segment"]
    id: str
    name: str
    match_type: t.Literal["all", "any"]
    filters: SegmentFilters
    created_at: str
    updated_at: str


class _SegmentConditionInput(t.TypedDict):
    field: t.Literal["email", "first_name", "last_name", "user_id", "time_zone", "unsubscribed", "created_at", "list", "property"]
    operator: t.Literal["equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "is_set", "is_not_set", "is", "is_not", "does_not_contain", "exists", "not_exists", "greater_than", "greater_than_or_equals", "less_than", "less_than_or_equals", "greater_than_or_equal", "less_than_or_equal", "before", "on_or_before", "on", "not_on", "on_or_after", "after", "older_than", "within_last", "within_next", "in", "not_in"]


class SegmentConditionInput(_SegmentConditionInput, total=False):
    type: t.Optional[t.Literal["string", "number", "date", "boolean", "list"]]
    value: t.Optional[t.Union[str, float, bool]]
    property_id: t.Optional[str]


class SegmentCount(t.TypedDict):
    object: t.Literal["segment_count"]
    count: int
    is_exact: bool
    contacts: t.List[Contact]


class SegmentFilters(t.TypedDict):
    groups: t.List[SegmentFiltersGroup]


class SegmentFiltersGroup(t.TypedDict):
    match_type: t.Literal["all", "any"]
    conditions: t.List[SegmentFiltersGroupCondition]


class SegmentFiltersGroupCondition(t.TypedDict):
    field: t.Literal["email", "first_name", "last_name", "user_id", "time_zone", "unsubscribed", "created_at", "list", "property"]
    type: t.Literal["string", "number", "date", "boolean", "list"]
    operator: str
    value: t.Optional[t.Union[str, float, bool]]
    property_id: t.Optional[str]


class SegmentFiltersInput(t.TypedDict, total=False):
    groups: t.Optional[t.List[SegmentFiltersInputGroup]]


class _SegmentFiltersInputGroup(t.TypedDict):
    conditions: t.List[SegmentConditionInput]


class SegmentFiltersInputGroup(_SegmentFiltersInputGroup, total=False):
    match_type: t.Optional[t.Literal["all", "any"]]


class SegmentList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[Segment]


class SegmentMembership(t.TypedDict):
    object: t.Literal["contact_segment"]
    id: str


class SendBroadcastRequest(t.TypedDict, total=False):
    scheduled_at: t.Union[str, datetime, None]


class SendCampaignRequest(t.TypedDict, total=False):
    scheduled_at: t.Union[str, datetime, None]


SendEmailRequest = t.TypedDict(
    "SendEmailRequest",
    {
        "from": "t.Optional[str]",
        "to": "t.Optional[t.Union[str, t.List[str]]]",
        "cc": "t.Optional[t.Union[str, t.List[str]]]",
        "bcc": "t.Optional[t.Union[str, t.List[str]]]",
        "reply_to": "t.Optional[t.Union[str, t.List[str]]]",
        "subject": "t.Optional[str]",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "headers": "t.Optional[t.Dict[str, t.Union[str, t.List[str]]]]",
        "tags": "t.Optional[t.List[t.Union[SendEmailRequestTag, str]]]",
        "scheduled_at": "t.Union[str, datetime, None]",
        "attachments": "t.Optional[t.List[AttachmentInput]]",
        "template": "t.Optional[SendEmailRequestTemplate]",
        "class": "t.Optional[t.Literal['transactional', 'bulk']]",
        "unsubscribe": "t.Optional[SendEmailRequestUnsubscribe]",
    },
    total=False,
)


class _SendEmailRequestTag(t.TypedDict):
    name: str


class SendEmailRequestTag(_SendEmailRequestTag, total=False):
    value: t.Optional[str]


class _SendEmailRequestTemplate(t.TypedDict):
    id: str


class SendEmailRequestTemplate(_SendEmailRequestTemplate, total=False):
    variables: t.Optional[t.Dict[str, t.Union[str, float]]]


class SendEmailRequestUnsubscribe(t.TypedDict, total=False):
    list_id: t.Optional[str]
    topic: t.Optional[str]


class _SendEventRequest(t.TypedDict):
    event: str


class SendEventRequest(_SendEventRequest, total=False):
    contact_id: t.Optional[str]
    email: t.Optional[str]
    payload: t.Optional[t.Dict[str, t.Any]]
    occurred_at: t.Optional[str]


class _SendMimeEmailRequest(t.TypedDict):
    envelope_from: str
    envelope_to: str
    raw_message: str


_SendMimeEmailRequestOptional = t.TypedDict(
    "_SendMimeEmailRequestOptional",
    {
        "class": "t.Optional[t.Literal['transactional', 'bulk']]",
    },
    total=False,
)


class SendMimeEmailRequest(_SendMimeEmailRequest, _SendMimeEmailRequestOptional):
    pass


_SendWindow = t.TypedDict(
    "_SendWindow",
    {
        "from": "str",
        "to": "str",
        "time_zone": "str",
    },
)


class SendWindow(_SendWindow, total=False):
    days: t.Optional[t.List[int]]
    by_contact: t.Optional[bool]


class Sender(t.TypedDict):
    object: t.Literal["sender"]
    id: str
    domain_id: str
    name: str
    username: str
    email: str
    reply_to: str
    created_at: str
    updated_at: str


class SenderList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[Sender]


class SentInvitation(t.TypedDict):
    object: t.Literal["invitation"]
    id: str
    email: str
    role: t.Literal["owner", "admin", "member", "viewer"]
    status: t.Literal["pending", "expired"]
    expires_at: str
    created_at: str
    emailed: bool
    printed: bool
    link: str


class ServerChecks(t.TypedDict):
    object: t.Literal["server_checks"]
    state: t.Literal["never", "running", "interrupted", "done"]
    delivery: t.Literal["capture", "direct", "relay"]
    hostname: str
    started_at: t.Optional[str]
    checked_at: t.Optional[str]
    next_at: t.Optional[str]
    findings: t.List[ServerChecksFinding]


class ServerChecksFinding(t.TypedDict):
    step: t.Literal["hostname", "public_url", "reverse_dns", "spf", "outbound_port", "bounce_host", "inbound_port"]
    check: str
    level: t.Literal["ok", "note", "warning", "problem"]
    found: str
    advice: t.Optional[str]
    record: t.Optional[AdvisedRecord]


class Shaping(t.TypedDict):
    object: t.Literal["shaping"]
    file: t.Optional[str]
    loaded_at: t.Optional[str]
    failure: t.Optional[ShapingFailure]
    probes_seconds: t.List[float]
    rules: t.List[ShapingRule]


class ShapingFailure(t.TypedDict):
    at: str
    message: str


class ShapingRule(t.TypedDict):
    name: str
    source: t.Literal["built_in", "file"]
    match: ShapingRuleMatch
    connections_max: t.Optional[int]
    connections_start: t.Optional[int]
    messages_per_connection: t.Optional[int]
    rate: t.Optional[str]
    replies: t.List[ShapingRuleReplie]


class ShapingRuleMatch(t.TypedDict):
    mx: t.Optional[t.List[str]]
    domain: t.Optional[t.List[str]]


class ShapingRuleReplie(t.TypedDict):
    pattern: str
    stage: t.Optional[str]
    code: t.Optional[int]
    action: t.Literal["slow_down", "pause", "stop"]
    for_seconds: t.Optional[float]


class ShareEmailRequest(t.TypedDict, total=False):
    expires_in: t.Optional[str]


class SharedEmail(t.TypedDict):
    object: t.Literal["email"]
    id: str
    url: str
    expires_at: str


class Site(t.TypedDict):
    object: t.Literal["site"]
    name: str
    site: str
    source: str
    tls: str
    relay: bool
    state: t.Literal["open", "paused", "probing", "stopped"]
    reason: t.Optional[str]
    category: t.Optional[str]
    failures: int
    paused_until: t.Optional[str]
    connections: int
    connections_limit: int
    connections_max: int
    messages_per_connection: int
    rate: t.Optional[str]
    waiting: int
    rules: str
    processes: int


class StartAutomationRunRequest(t.TypedDict, total=False):
    contact_id: t.Optional[str]
    email: t.Optional[str]
    payload: t.Optional[t.Dict[str, t.Any]]


class Summary(t.TypedDict):
    object: t.Literal["summary"]
    interval: t.Literal["hour", "day"]
    time_zone: str
    start_date: str
    end_date: str
    as_of: t.Optional[str]
    outcomes: EmailOutcomes
    series: t.List[SummarySerie]
    before: SummaryBefore
    time_to_deliver_ms: DeliveryTimes
    waiting: SummaryWaiting
    usage: SummaryUsage
    alerts: t.List[Alert]


class SummaryBefore(t.TypedDict):
    start_date: str
    end_date: str
    outcomes: EmailOutcomes
    compared: EmailOutcomes


class SummarySerie(t.TypedDict):
    at: str
    outcomes: EmailOutcomes


class SummaryUsage(t.TypedDict):
    month: UsagePeriod
    day: UsagePeriod


class SummaryWaiting(t.TypedDict):
    queued: int
    delivery_delayed: int
    scheduled: int
    longest_deferred: t.Optional[SummaryWaitingLongestDeferred]


class SummaryWaitingLongestDeferred(t.TypedDict):
    id: str
    created_at: str


class SuppressAddressRequest(t.TypedDict):
    email: str


class SuppressAddressesRequest(t.TypedDict):
    emails: t.List[str]


class Suppression(t.TypedDict):
    object: t.Literal["suppression"]
    id: str
    email: str
    reason: t.Optional[t.Literal["manual", "bounce", "complaint"]]
    origin: t.Optional[t.Literal["manual", "bounce", "complaint"]]
    source_email_id: t.Optional[str]
    source_id: t.Optional[str]
    created_at: str
    updated_at: str


class SuppressionAddedEvent(t.TypedDict):
    type: t.Literal["suppression.added"]
    created_at: str
    data: SuppressionEventData


class _SuppressionEventData(t.TypedDict):
    id: str
    email: str
    reason: t.Optional[str]


class SuppressionEventData(_SuppressionEventData, total=False):
    source_email_id: t.Optional[str]


class SuppressionList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[Suppression]


class SuppressionRemovedEvent(t.TypedDict):
    type: t.Literal["suppression.removed"]
    created_at: str
    data: SuppressionEventData


class SuppressionsAdded(t.TypedDict):
    object: t.Literal["list"]
    data: t.List[Suppression]


class SuppressionsRemoved(t.TypedDict):
    object: t.Literal["list"]
    data: t.List[SuppressionsRemovedData]


class SuppressionsRemovedData(t.TypedDict):
    object: t.Literal["suppression"]
    id: str
    email: str
    deleted: t.Literal[True]


class TeamEventData(t.TypedDict):
    id: str
    name: str
    by: str
    reason: t.Optional[str]


class TeamPausedEvent(t.TypedDict):
    type: t.Literal["team.paused"]
    created_at: str
    data: TeamEventData


class TeamResumedEvent(t.TypedDict):
    type: t.Literal["team.resumed"]
    created_at: str
    data: TeamEventData


Template = t.TypedDict(
    "Template",
    {
        "object": "t.Literal['template']",
        "id": "str",
        "folder_id": "t.Optional[str]",
        "name": "str",
        "alias": "t.Optional[str]",
        "subject": "str",
        "reply_to": "str",
        "status": "t.Literal['published', 'draft']",
        "sender": "Sender",
        "version": "int",
        "published_at": "t.Optional[str]",
        "has_unpublished_versions": "bool",
        "created_at": "str",
        "updated_at": "str",
        "html_content": "str",
        "text_content": "str",
        "variables": "t.List[TemplateVariable]",
        "from": "str",
        "html": "str",
        "text": "t.Optional[str]",
        "warnings": "t.List[TemplateWarning]",
    },
)


class TemplateDraft(t.TypedDict):
    object: t.Literal["template_draft"]
    template_id: str
    revision: int
    base_version: int
    is_outdated: bool
    subject: str
    html_content: str
    text_content: str
    reply_to: str
    variables: t.List[TemplateVariable]
    warnings: t.List[TemplateWarning]
    sender: Sender
    updated_by: TemplateDraftUpdatedBy
    created_at: str
    updated_at: str


class TemplateDraftUpdatedBy(t.TypedDict):
    type: t.Literal["key", "user"]
    id: str
    name: t.Optional[str]


class TemplateFolder(t.TypedDict):
    object: t.Literal["template_folder"]
    id: str
    name: str
    created_at: str
    updated_at: str


class TemplateFolderList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[TemplateFolder]


class TemplatePreview(t.TypedDict):
    object: t.Literal["template_preview"]
    template_id: t.Optional[str]
    subject: str
    html: t.Optional[str]
    text: t.Optional[str]
    missing: t.List[str]
    warnings: t.List[TemplateWarning]


class TemplateRef(t.TypedDict):
    id: str
    name: str


class TemplateSummary(t.TypedDict):
    object: t.Literal["template"]
    id: str
    folder_id: t.Optional[str]
    name: str
    alias: t.Optional[str]
    subject: str
    reply_to: str
    status: t.Literal["published", "draft"]
    sender: Sender
    version: int
    published_at: t.Optional[str]
    has_unpublished_versions: bool
    created_at: str
    updated_at: str


class TemplateSummaryList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[TemplateSummary]


class TemplateVariable(t.TypedDict):
    key: str
    type: t.Literal["string", "number"]
    fallback_value: t.Optional[str]


class _TemplateVariableInput(t.TypedDict):
    key: str


class TemplateVariableInput(_TemplateVariableInput, total=False):
    type: t.Optional[t.Literal["string", "number"]]
    fallback_value: t.Optional[t.Union[str, float]]


class TemplateVersion(t.TypedDict):
    object: t.Literal["template_version"]
    id: str
    template_id: str
    version: int
    is_current: bool
    subject: str
    created_by: t.Optional[TemplateVersionCreatedBy]
    created_at: str
    html_content: str
    text_content: str
    reply_to: str
    variables: t.List[TemplateVariable]
    sender: t.Optional[Sender]


class TemplateVersionCreatedBy(t.TypedDict):
    type: t.Literal["key", "user"]
    id: str
    name: t.Optional[str]


class TemplateVersionSummary(t.TypedDict):
    object: t.Literal["template_version"]
    id: str
    template_id: str
    version: int
    is_current: bool
    subject: str
    created_by: t.Optional[TemplateVersionSummaryCreatedBy]
    created_at: str


class TemplateVersionSummaryCreatedBy(t.TypedDict):
    type: t.Literal["key", "user"]
    id: str
    name: t.Optional[str]


class TemplateVersionSummaryList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[TemplateVersionSummary]


class TemplateWarning(t.TypedDict):
    part: t.Literal["subject", "html", "text"]
    line: int
    column: int
    message: str


class TestCampaignRequest(t.TypedDict):
    to: t.List[str]


class TestWebhookRequest(t.TypedDict, total=False):
    type: t.Optional[str]


class Unsubscription(t.TypedDict):
    object: t.Literal["unsubscription"]
    id: str
    email: str
    list_id: t.Optional[str]
    topic: t.Optional[str]
    source: str
    email_id: t.Optional[str]
    created_at: str


class UnsubscriptionList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[Unsubscription]


class UpdateApiKeyRequest(t.TypedDict, total=False):
    name: t.Optional[str]
    permission: t.Optional[t.Literal["full", "send", "full_access", "sending_access"]]
    domain_id: t.Optional[str]
    expires_at: t.Optional[str]


class UpdateAutomationRequest(t.TypedDict, total=False):
    name: t.Optional[str]
    status: t.Optional[t.Literal["draft", "active", "paused", "enabled", "disabled"]]
    trigger: t.Optional[AutomationTrigger]
    steps: t.Optional[t.List[AutomationStepInput]]
    connections: t.Optional[t.List[AutomationConnection]]
    settings: t.Optional[AutomationSettings]


UpdateBroadcastRequest = t.TypedDict(
    "UpdateBroadcastRequest",
    {
        "name": "t.Optional[str]",
        "segment_id": "t.Optional[str]",
        "audience_id": "t.Optional[str]",
        "from": "t.Optional[str]",
        "subject": "t.Optional[str]",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "reply_to": "t.Optional[t.Union[str, t.List[str]]]",
        "preview_text": "t.Optional[str]",
        "topic_id": "None",
    },
    total=False,
)


class UpdateCampaignRequest(t.TypedDict, total=False):
    name: t.Optional[str]
    sender_id: t.Optional[str]
    template_id: t.Optional[str]
    subject: t.Optional[str]
    preview_text: t.Optional[str]
    reply_to: t.Optional[str]
    html: t.Optional[str]
    text: t.Optional[str]
    segment_id: t.Optional[str]
    list_id: t.Optional[str]
    audience: t.Optional[AudienceInput]
    status: t.Optional[t.Literal["draft", "scheduled", "sending", "paused", "canceled"]]
    scheduled_at: t.Union[str, datetime, None]
    rate_per_hour: t.Optional[int]
    send_window: t.Optional[SendWindow]


class UpdateContactRequest(t.TypedDict, total=False):
    email: t.Optional[str]
    first_name: t.Optional[str]
    last_name: t.Optional[str]
    user_id: t.Optional[str]
    time_zone: t.Optional[str]
    unsubscribed: t.Optional[bool]
    list_ids: t.Optional[t.List[str]]
    properties: t.Optional[t.Dict[str, t.Optional[t.Union[str, float]]]]


class UpdateDomainRequest(t.TypedDict, total=False):
    open_tracking: t.Optional[bool]
    click_tracking: t.Optional[bool]
    tls: t.Optional[t.Literal["opportunistic", "enforced"]]
    dkim_ed25519: t.Optional[bool]


class UpdateEventDefinitionRequest(t.TypedDict):
    schema: t.Optional[t.Dict[str, t.Literal["string", "number", "boolean", "date"]]]


class UpdateListRequest(t.TypedDict, total=False):
    name: t.Optional[str]


class UpdateOperatorTeamRequest(t.TypedDict, total=False):
    name: t.Optional[str]
    plan: t.Optional[t.Literal["free", "10k", "25k", "50k", "75k", "100k", "150k", "250k", "500k", "750k", "1m", "2m", "5m", "unlimited"]]


class UpdatePropertyRequest(t.TypedDict, total=False):
    key: t.Optional[str]
    type: t.Optional[t.Literal["string", "number", "date"]]
    fallback_value: t.Optional[str]


class UpdateRetentionRequest(t.TypedDict, total=False):
    content: t.Optional[str]
    attempts: t.Optional[str]
    events: t.Optional[str]
    webhook_deliveries: t.Optional[str]


class UpdateSegmentRequest(t.TypedDict, total=False):
    name: t.Optional[str]
    match_type: t.Optional[t.Literal["all", "any"]]
    filters: t.Optional[SegmentFiltersInput]


class UpdateSenderRequest(t.TypedDict, total=False):
    name: t.Optional[str]
    username: t.Optional[str]
    domain_id: t.Optional[str]
    reply_to: t.Optional[str]


class UpdateSuppressionRequest(t.TypedDict, total=False):
    reason: t.Optional[t.Literal["manual", "bounce", "complaint"]]


class UpdateTemplateFolderRequest(t.TypedDict, total=False):
    name: t.Optional[str]


UpdateTemplateRequest = t.TypedDict(
    "UpdateTemplateRequest",
    {
        "name": "t.Optional[str]",
        "subject": "t.Optional[str]",
        "sender_id": "t.Optional[str]",
        "from": "t.Optional[str]",
        "html_content": "t.Optional[str]",
        "text_content": "t.Optional[str]",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "reply_to": "t.Optional[t.Union[str, t.List[str]]]",
        "folder_id": "t.Optional[str]",
        "alias": "t.Optional[str]",
        "status": "t.Optional[t.Literal['published', 'draft']]",
        "variables": "t.Optional[t.List[TemplateVariableInput]]",
    },
    total=False,
)


class UpdateWebhookRequest(t.TypedDict, total=False):
    endpoint: t.Optional[str]
    url: t.Optional[str]
    events: t.Optional[t.List[str]]
    description: t.Optional[str]
    status: t.Optional[t.Literal["enabled", "disabled"]]


class Usage(t.TypedDict):
    object: t.Literal["usage"]
    plan: t.Literal["free", "10k", "25k", "50k", "75k", "100k", "150k", "250k", "500k", "750k", "1m", "2m", "5m", "unlimited"]
    sending_paused: bool
    sending_paused_at: t.Optional[str]
    sending_paused_by: t.Optional[t.Literal["operator", "reputation"]]
    sending_paused_reason: t.Optional[str]
    requests_per_minute: int
    rate_limit: UsageRateLimit
    emails_this_month: int
    month: UsagePeriod
    day: UsagePeriod
    months: t.List[UsageMonth]


class UsageMonth(t.TypedDict):
    month: str
    recipients: int
    emails: int


class UsagePeriod(t.TypedDict):
    used: int
    limit: t.Optional[int]
    remaining: t.Optional[int]
    resets_at: str


class UsageRateLimit(t.TypedDict):
    limit: int
    used: int
    remaining: int
    resets_at: t.Optional[str]


class ValidateAddressRequest(t.TypedDict):
    email: str


class Webhook(t.TypedDict):
    object: t.Literal["webhook"]
    id: str
    endpoint: str
    url: str
    events: t.Optional[t.List[str]]
    description: t.Optional[str]
    status: t.Literal["enabled", "disabled"]
    disabled_reason: t.Optional[str]
    disabled_at: t.Optional[str]
    failing_since: t.Optional[str]
    previous_secret_until: t.Optional[str]
    created_at: str
    updated_at: str


class WebhookDelivery(t.TypedDict):
    object: t.Literal["webhook_delivery"]
    id: str
    webhook_id: str
    event_id: t.Optional[str]
    type: str
    status: t.Literal["waiting", "delivered", "failed"]
    attempt_count: int
    response_status: t.Optional[int]
    latency_ms: t.Optional[int]
    next_attempt_at: t.Optional[str]
    replayed_as: t.Optional[str]
    created_at: str
    updated_at: str
    request: WebhookDeliveryRequest
    response: t.Optional[WebhookDeliveryResponse]
    attempts: t.List[WebhookDeliveryAttempt]


class WebhookDeliveryAttempt(t.TypedDict):
    at: str
    status: t.Optional[int]
    latency_ms: int
    error: t.Optional[str]


class WebhookDeliveryRequest(t.TypedDict):
    method: t.Literal["POST"]
    url: str
    headers: WebhookDeliveryRequestHeaders
    body: t.Optional[str]


WebhookDeliveryRequestHeaders = t.TypedDict(
    "WebhookDeliveryRequestHeaders",
    {
        "content-type": "str",
        "webhook-id": "str",
    },
)


class WebhookDeliveryResponse(t.TypedDict):
    status: t.Optional[int]
    body: t.Optional[str]


class WebhookDeliverySummary(t.TypedDict):
    object: t.Literal["webhook_delivery"]
    id: str
    webhook_id: str
    event_id: t.Optional[str]
    type: str
    status: t.Literal["waiting", "delivered", "failed"]
    attempt_count: int
    response_status: t.Optional[int]
    latency_ms: t.Optional[int]
    next_attempt_at: t.Optional[str]
    replayed_as: t.Optional[str]
    created_at: str
    updated_at: str


class WebhookDeliverySummaryList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[WebhookDeliverySummary]


class WebhookDisabledEvent(t.TypedDict):
    type: t.Literal["webhook.disabled"]
    created_at: str
    data: WebhookEventData


class WebhookEventData(t.TypedDict):
    id: str
    endpoint: str
    reason: str


class WebhookList(t.TypedDict):
    object: t.Literal["list"]
    has_more: bool
    links: PageLinks
    meta: PageMeta
    data: t.List[Webhook]


class WebhookReplay(t.TypedDict):
    object: t.Literal["webhook_replay"]
    webhook_id: str
    count: int
    has_more: bool
    cursor: t.Optional[str]


class WebhookWithSecret(t.TypedDict):
    object: t.Literal["webhook"]
    id: str
    endpoint: str
    url: str
    events: t.Optional[t.List[str]]
    description: t.Optional[str]
    status: t.Literal["enabled", "disabled"]
    disabled_reason: t.Optional[str]
    disabled_at: t.Optional[str]
    failing_since: t.Optional[str]
    previous_secret_until: t.Optional[str]
    created_at: str
    updated_at: str
    signing_secret: t.Optional[str]


EventType = t.Literal[
    "email.queued",
    "email.scheduled",
    "email.sent",
    "email.delivered",
    "email.delivery_delayed",
    "email.bounced",
    "email.failed",
    "email.rejected",
    "email.suppressed",
    "email.canceled",
    "email.complained",
    "email.opened",
    "email.clicked",
    "email.received",
    "contact.created",
    "contact.updated",
    "contact.deleted",
    "contact.list_joined",
    "contact.list_left",
    "contact.event",
    "contact.unsubscribed",
    "domain.created",
    "domain.verified",
    "domain.failed",
    "domain.deleted",
    "suppression.added",
    "suppression.removed",
    "campaign.started",
    "campaign.paused",
    "campaign.resumed",
    "campaign.sent",
    "campaign.canceled",
    "webhook.disabled",
    "team.paused",
    "team.resumed",
]

# The body of a webhook. Its `type` decides the type of its `data`.
WebhookEvent = t.Union[
    EmailQueuedEvent,
    EmailScheduledEvent,
    EmailSentEvent,
    EmailDeliveredEvent,
    EmailDeliveryDelayedEvent,
    EmailBouncedEvent,
    EmailFailedEvent,
    EmailRejectedEvent,
    EmailSuppressedEvent,
    EmailCanceledEvent,
    EmailComplainedEvent,
    EmailOpenedEvent,
    EmailClickedEvent,
    EmailReceivedEvent,
    ContactCreatedEvent,
    ContactUpdatedEvent,
    ContactDeletedEvent,
    ContactListJoinedEvent,
    ContactListLeftEvent,
    ContactEventEvent,
    ContactUnsubscribedEvent,
    DomainCreatedEvent,
    DomainVerifiedEvent,
    DomainFailedEvent,
    DomainDeletedEvent,
    SuppressionAddedEvent,
    SuppressionRemovedEvent,
    CampaignStartedEvent,
    CampaignPausedEvent,
    CampaignResumedEvent,
    CampaignSentEvent,
    CampaignCanceledEvent,
    WebhookDisabledEvent,
    TeamPausedEvent,
    TeamResumedEvent,
]
