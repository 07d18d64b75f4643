# `npm test -- clients/test/generated.test.ts -u` writes this file.
"""The objects of the API, as dictionaries with these keys."""

import typing as t
from datetime import datetime


AcceptedEmail = t.TypedDict(
    "AcceptedEmail",
    {
        "id": "str",
    },
)

AddContactToListsRequest = t.TypedDict(
    "AddContactToListsRequest",
    {
        "list_ids": "t.List[str]",
    },
)

AddressEvaluations = t.TypedDict(
    "AddressEvaluations",
    {
        "has_valid_syntax": "bool",
        "has_valid_dns": "t.Optional[bool]",
        "mailbox_exists": "t.Optional[bool]",
        "is_role_address": "bool",
        "is_disposable": "bool",
        "is_random_input": "bool",
    },
)

AddressValidation = t.TypedDict(
    "AddressValidation",
    {
        "email": "str",
        "is_valid": "bool",
        "evaluations": "AddressEvaluations",
        "should_block": "bool",
        "block_reason": "t.Optional[t.Literal['invalid_syntax', 'invalid', 'disposable_email']]",
        "validated_at": "str",
        "verdict": "t.Literal['deliverable', 'risky', 'undeliverable', 'unknown']",
        "did_you_mean": "t.Optional[str]",
        "has_known_bounce": "bool",
        "is_free_provider": "bool",
    },
)

AdvisedRecord = t.TypedDict(
    "AdvisedRecord",
    {
        "type": "t.Literal['A', 'AAAA', 'MX', 'TXT', 'PTR']",
        "name": "str",
        "value": "str",
    },
)

Alert = t.TypedDict(
    "Alert",
    {
        "object": "t.Literal['attention_item']",
        "kind": "t.Literal['sending_paused', 'campaign_paused', 'automation_paused', 'automation_failing', 'quota_month', 'quota_day', 'domain_unverified', 'domain_failing', 'site_paused', 'webhook_disabled', 'webhook_failing', 'email_waiting', 'bounce_rate', 'complaint_rate', 'api_key_expiring']",
        "severity": "t.Literal['info', 'warning', 'critical']",
        "message": "str",
        "subject": "AlertSubject",
        "since": "t.Optional[str]",
    },
)

AlertList = t.TypedDict(
    "AlertList",
    {
        "object": "t.Literal['list']",
        "data": "t.List[Alert]",
    },
)

AlertSubject = t.TypedDict(
    "AlertSubject",
    {
        "type": "str",
        "id": "t.Optional[str]",
        "name": "str",
    },
)

ApiKey = t.TypedDict(
    "ApiKey",
    {
        "object": "t.Literal['api_key']",
        "id": "str",
        "name": "str",
        "permission": "t.Literal['full', 'send']",
        "domain_id": "t.Optional[str]",
        "status": "t.Literal['active', 'expired', 'revoked']",
        "prefix": "str",
        "expires_at": "t.Optional[str]",
        "last_used_at": "t.Optional[str]",
        "created_at": "str",
    },
)

ApiKeyList = t.TypedDict(
    "ApiKeyList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[ApiKey]",
    },
)

ApiKeyWithToken = t.TypedDict(
    "ApiKeyWithToken",
    {
        "object": "t.Literal['api_key']",
        "id": "str",
        "name": "str",
        "permission": "t.Literal['full', 'send']",
        "domain_id": "t.Optional[str]",
        "status": "t.Literal['active', 'expired', 'revoked']",
        "prefix": "str",
        "expires_at": "t.Optional[str]",
        "last_used_at": "t.Optional[str]",
        "created_at": "str",
        "token": "str",
    },
)

AttachmentInput = t.TypedDict(
    "AttachmentInput",
    {
        "filename": "t.Optional[str]",
        "content": "t.Union[str, bytes, t.Dict[str, t.Any], None]",
        "path": "t.Optional[str]",
        "content_type": "t.Optional[str]",
        "content_id": "t.Optional[str]",
    },
    total=False,
)

AttachmentInputContent1 = t.TypedDict(
    "AttachmentInputContent1",
    {
        "type": "t.Literal['Buffer']",
        "data": "t.List[t.Any]",
    },
)

Attempt = t.TypedDict(
    "Attempt",
    {
        "recipient": "str",
        "attempt": "int",
        "started_at": "str",
        "duration_ms": "int",
        "outcome": "str",
        "category": "str",
        "advice": "t.Optional[str]",
        "smtp_code": "t.Optional[int]",
        "enhanced_code": "t.Optional[str]",
        "response": "t.Optional[str]",
        "mx_host": "t.Optional[str]",
        "mx_address": "t.Optional[str]",
        "source_address": "t.Optional[str]",
        "tls": "t.Optional[str]",
        "conversation": "t.List[AttemptConversation]",
    },
)

AttemptConversation = t.TypedDict(
    "AttemptConversation",
    {
        "at_ms": "int",
        "who": "t.Literal['client', 'server', 'note']",
        "text": "str",
    },
)

AttemptList = t.TypedDict(
    "AttemptList",
    {
        "object": "t.Literal['list']",
        "data": "t.List[Attempt]",
    },
)

Audience = t.TypedDict(
    "Audience",
    {
        "include": "t.List[AudienceInclude]",
        "exclude": "t.List[AudienceExclude]",
    },
)

AudienceExclude = t.TypedDict(
    "AudienceExclude",
    {
        "list_id": "str",
        "segment_id": "str",
    },
    total=False,
)

AudienceInclude = t.TypedDict(
    "AudienceInclude",
    {
        "list_id": "str",
        "segment_id": "str",
    },
    total=False,
)

AudienceInput = t.TypedDict(
    "AudienceInput",
    {
        "include": "t.Optional[t.List[AudienceInputInclude]]",
        "exclude": "t.Optional[t.List[AudienceInputExclude]]",
    },
    total=False,
)

AudienceInputExclude = t.TypedDict(
    "AudienceInputExclude",
    {
        "list_id": "t.Optional[str]",
        "segment_id": "t.Optional[str]",
    },
    total=False,
)

AudienceInputInclude = t.TypedDict(
    "AudienceInputInclude",
    {
        "list_id": "t.Optional[str]",
        "segment_id": "t.Optional[str]",
    },
    total=False,
)

AuditEntry = t.TypedDict(
    "AuditEntry",
    {
        "object": "t.Literal['audit_entry']",
        "id": "str",
        "actor": "AuditEntryActor",
        "action": "str",
        "target_id": "t.Optional[str]",
        "fields": "t.List[str]",
        "ip_address": "t.Optional[str]",
        "user_agent": "t.Optional[str]",
        "request_id": "t.Optional[str]",
        "created_at": "str",
    },
)

AuditEntryActor = t.TypedDict(
    "AuditEntryActor",
    {
        "type": "str",
        "id": "t.Optional[str]",
        "name": "t.Optional[str]",
    },
)

AuditEntryList = t.TypedDict(
    "AuditEntryList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[AuditEntry]",
    },
)

_Automation = t.TypedDict(
    "_Automation",
    {
        "object": "t.Literal['automation']",
        "id": "str",
        "name": "str",
        "status": "t.Literal['draft', 'active', 'paused']",
        "paused_reason": "t.Optional[t.Literal['upgraded', 'restored']]",
        "version": "int",
        "trigger": "t.Optional[t.Dict[str, t.Any]]",
        "steps": "t.List[AutomationGraphStep]",
        "connections": "t.List[AutomationStoredConnection]",
        "settings": "AutomationStoredSettings",
        "created_at": "str",
        "updated_at": "str",
    },
)


_AutomationOptional = t.TypedDict(
    "_AutomationOptional",
    {
        "runs": "AutomationRuns",
    },
    total=False,
)


class Automation(_Automation, _AutomationOptional):
    pass


_AutomationConnection = t.TypedDict(
    "_AutomationConnection",
    {
        "from": "str",
        "to": "str",
    },
)


_AutomationConnectionOptional = t.TypedDict(
    "_AutomationConnectionOptional",
    {
        "type": "t.Optional[t.Literal['default', 'condition_met', 'condition_not_met', 'event_received', 'timeout', 'branch_1', 'branch_2', 'branch_3', 'branch_4', 'branch_5', 'branch_6', 'branch_7', 'branch_8', 'branch_9', 'branch_10']]",
    },
    total=False,
)


class AutomationConnection(_AutomationConnection, _AutomationConnectionOptional):
    pass


AutomationDryRun = t.TypedDict(
    "AutomationDryRun",
    {
        "object": "t.Literal['automation_dry_run']",
        "automation_id": "str",
        "steps": "t.List[AutomationDryRunStep]",
        "end": "str",
    },
)

AutomationDryRunStep = t.TypedDict(
    "AutomationDryRunStep",
    {
        "key": "str",
        "type": "str",
        "at": "str",
        "decision": "str",
        "connection": "t.Optional[str]",
    },
)

AutomationFigures = t.TypedDict(
    "AutomationFigures",
    {
        "object": "t.Literal['automation_figures']",
        "automation_id": "str",
        "version": "int",
        "steps": "t.List[AutomationFiguresStep]",
    },
)

AutomationFiguresStep = t.TypedDict(
    "AutomationFiguresStep",
    {
        "key": "str",
        "entered": "int",
        "waiting": "int",
        "done": "int",
        "skipped": "int",
        "failed": "int",
        "exited": "int",
        "delivered": "int",
        "bounced": "int",
        "complained": "int",
        "opened": "int",
        "clicked": "int",
    },
)

AutomationGraphStep = t.TypedDict(
    "AutomationGraphStep",
    {
        "key": "str",
        "type": "str",
        "config": "t.Dict[str, t.Any]",
    },
)

AutomationList = t.TypedDict(
    "AutomationList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[Automation]",
    },
)

AutomationMove = t.TypedDict(
    "AutomationMove",
    {
        "object": "t.Literal['automation_move']",
        "automation_id": "str",
        "to_version": "int",
        "moved": "int",
        "left": "int",
    },
)

AutomationRun = t.TypedDict(
    "AutomationRun",
    {
        "object": "t.Literal['automation_run']",
        "id": "str",
        "automation_id": "str",
        "version": "int",
        "contact_id": "str",
        "email": "t.Optional[str]",
        "status": "t.Literal['running', 'completed', 'failed', 'cancelled']",
        "outcome": "t.Optional[t.Literal['completed', 'goal', 'exited', 'failed', 'canceled']]",
        "reason": "t.Optional[str]",
        "step": "str",
        "due_at": "t.Optional[str]",
        "awaits": "t.Optional[str]",
        "is_held": "bool",
        "started_at": "str",
        "completed_at": "t.Optional[str]",
        "created_at": "str",
    },
)

AutomationRunList = t.TypedDict(
    "AutomationRunList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[AutomationRun]",
    },
)

AutomationRunStep = t.TypedDict(
    "AutomationRunStep",
    {
        "key": "str",
        "type": "str",
        "status": "t.Literal['completed', 'failed', 'skipped', 'waiting', 'running']",
        "output": "t.Optional[t.Dict[str, t.Any]]",
        "error": "t.Optional[t.Dict[str, t.Any]]",
        "email_id": "t.Optional[str]",
        "started_at": "t.Optional[str]",
        "completed_at": "t.Optional[str]",
        "created_at": "str",
    },
)

AutomationRunTrail = t.TypedDict(
    "AutomationRunTrail",
    {
        "object": "t.Literal['automation_run']",
        "id": "str",
        "automation_id": "str",
        "version": "int",
        "contact_id": "str",
        "email": "t.Optional[str]",
        "status": "t.Literal['running', 'completed', 'failed', 'cancelled']",
        "outcome": "t.Optional[t.Literal['completed', 'goal', 'exited', 'failed', 'canceled']]",
        "reason": "t.Optional[str]",
        "step": "str",
        "due_at": "t.Optional[str]",
        "awaits": "t.Optional[str]",
        "is_held": "bool",
        "started_at": "str",
        "completed_at": "t.Optional[str]",
        "created_at": "str",
        "trigger": "AutomationRunTrailTrigger",
        "payload": "t.Dict[str, t.Any]",
        "steps": "t.List[AutomationRunStep]",
    },
)

_AutomationRunTrailTrigger = t.TypedDict(
    "_AutomationRunTrailTrigger",
    {
        "type": "str",
    },
)


_AutomationRunTrailTriggerOptional = t.TypedDict(
    "_AutomationRunTrailTriggerOptional",
    {
        "event_id": "str",
        "automation_id": "str",
    },
    total=False,
)


class AutomationRunTrailTrigger(_AutomationRunTrailTrigger, _AutomationRunTrailTriggerOptional):
    pass


AutomationRuns = t.TypedDict(
    "AutomationRuns",
    {
        "running": "int",
        "failed": "int",
    },
)

AutomationSettings = t.TypedDict(
    "AutomationSettings",
    {
        "reentry": "t.Optional[t.Literal['once', 'after_exit', 'every_time']]",
        "reentry_gap": "t.Optional[t.Union[str, float]]",
        "on_retrigger": "t.Optional[t.Literal['keep', 'restart']]",
        "exits": "t.Optional[t.List[t.Dict[str, t.Any]]]",
        "max_late": "t.Optional[t.Union[str, float]]",
        "resume_rate": "t.Optional[int]",
    },
    total=False,
)

_AutomationStepInput = t.TypedDict(
    "_AutomationStepInput",
    {
        "type": "str",
    },
)


_AutomationStepInputOptional = t.TypedDict(
    "_AutomationStepInputOptional",
    {
        "key": "t.Optional[str]",
        "config": "t.Optional[t.Dict[str, t.Any]]",
    },
    total=False,
)


class AutomationStepInput(_AutomationStepInput, _AutomationStepInputOptional):
    pass


AutomationStoredConnection = t.TypedDict(
    "AutomationStoredConnection",
    {
        "from": "str",
        "to": "str",
        "type": "t.Literal['default', 'condition_met', 'condition_not_met', 'event_received', 'timeout', 'branch_1', 'branch_2', 'branch_3', 'branch_4', 'branch_5', 'branch_6', 'branch_7', 'branch_8', 'branch_9', 'branch_10']",
    },
)

AutomationStoredSettings = t.TypedDict(
    "AutomationStoredSettings",
    {
        "reentry": "t.Literal['once', 'after_exit', 'every_time']",
        "reentry_gap": "t.Optional[t.Union[str, float]]",
        "on_retrigger": "t.Literal['keep', 'restart']",
        "exits": "t.List[t.Dict[str, t.Any]]",
        "max_late": "t.Optional[t.Union[str, float]]",
        "resume_rate": "int",
    },
    total=False,
)

AutomationTrigger = t.TypedDict(
    "AutomationTrigger",
    {
        "type": "str",
    },
)

AutomationVersion = t.TypedDict(
    "AutomationVersion",
    {
        "object": "t.Literal['automation_version']",
        "automation_id": "str",
        "version": "int",
        "steps": "t.List[AutomationGraphStep]",
        "connections": "t.List[AutomationStoredConnection]",
        "settings": "AutomationStoredSettings",
        "waiting": "int",
        "created_at": "str",
    },
)

_BatchResult = t.TypedDict(
    "_BatchResult",
    {
        "data": "t.List[AcceptedEmail]",
    },
)


_BatchResultOptional = t.TypedDict(
    "_BatchResultOptional",
    {
        "errors": "t.List[BatchResultError]",
    },
    total=False,
)


class BatchResult(_BatchResult, _BatchResultOptional):
    pass


BatchResultError = t.TypedDict(
    "BatchResultError",
    {
        "index": "int",
        "message": "str",
    },
)

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

BroadcastId = t.TypedDict(
    "BroadcastId",
    {
        "object": "t.Literal['broadcast']",
        "id": "str",
    },
)

BroadcastLink = t.TypedDict(
    "BroadcastLink",
    {
        "id": "str",
        "url": "str",
        "clicks": "int",
        "unique_clicks": "int",
    },
)

BroadcastLinkList = t.TypedDict(
    "BroadcastLinkList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[BroadcastLink]",
    },
)

_BroadcastRecipient = t.TypedDict(
    "_BroadcastRecipient",
    {
        "id": "str",
        "contact_id": "t.Optional[str]",
        "email": "str",
    },
)


_BroadcastRecipientOptional = t.TypedDict(
    "_BroadcastRecipientOptional",
    {
        "count": "int",
        "clicked_links": "t.List[BroadcastRecipientClickedLink]",
        "bounce_type": "t.Literal['permanent', 'transient', 'undetermined']",
    },
    total=False,
)


class BroadcastRecipient(_BroadcastRecipient, _BroadcastRecipientOptional):
    pass


BroadcastRecipientClickedLink = t.TypedDict(
    "BroadcastRecipientClickedLink",
    {
        "url": "str",
        "clicks": "int",
    },
)

BroadcastRecipientList = t.TypedDict(
    "BroadcastRecipientList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[BroadcastRecipient]",
    },
)

BroadcastSummary = t.TypedDict(
    "BroadcastSummary",
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
    },
)

BroadcastSummaryList = t.TypedDict(
    "BroadcastSummaryList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[BroadcastSummary]",
    },
)

Campaign = t.TypedDict(
    "Campaign",
    {
        "object": "t.Literal['campaign']",
        "id": "str",
        "name": "str",
        "status": "t.Literal['draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled']",
        "sender_id": "t.Optional[str]",
        "template_id": "t.Optional[str]",
        "subject": "t.Optional[str]",
        "preview_text": "t.Optional[str]",
        "reply_to": "t.Optional[str]",
        "segment_id": "t.Optional[str]",
        "list_id": "t.Optional[str]",
        "audience": "Audience",
        "scheduled_at": "t.Optional[str]",
        "paused_reason": "t.Optional[str]",
        "started_at": "t.Optional[str]",
        "ended_at": "t.Optional[str]",
        "rate_per_hour": "t.Optional[int]",
        "send_window": "t.Optional[SendWindow]",
        "recipients": "CampaignRecipients",
        "totals": "CampaignCounts",
        "created_at": "str",
        "updated_at": "str",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "rate": "t.Optional[int]",
        "estimated_end_at": "t.Optional[str]",
        "waits_until": "t.Optional[str]",
    },
)

CampaignAudience = t.TypedDict(
    "CampaignAudience",
    {
        "object": "t.Literal['campaign_audience']",
        "count": "int",
        "unsubscribed": "int",
        "suppressed": "int",
        "is_estimated": "bool",
        "contacts": "t.List[CampaignAudienceContact]",
    },
)

CampaignAudienceContact = t.TypedDict(
    "CampaignAudienceContact",
    {
        "id": "str",
        "email": "str",
        "first_name": "str",
        "last_name": "str",
    },
)

CampaignCanceledEvent = t.TypedDict(
    "CampaignCanceledEvent",
    {
        "type": "t.Literal['campaign.canceled']",
        "created_at": "str",
        "data": "CampaignEventData",
    },
)

CampaignChecks = t.TypedDict(
    "CampaignChecks",
    {
        "object": "t.Literal['campaign_checks']",
        "data": "t.List[CampaignChecksData]",
    },
)

CampaignChecksData = t.TypedDict(
    "CampaignChecksData",
    {
        "code": "t.Literal['incomplete', 'sending_paused', 'domain_unverified', 'empty_audience', 'missing_value', 'no_unsubscribe_link', 'html_too_large', 'link_not_absolute', 'preview_text_unused', 'placeholder']",
        "severity": "t.Literal['error', 'warning']",
        "message": "str",
    },
)

CampaignCounts = t.TypedDict(
    "CampaignCounts",
    {
        "attempted": "int",
        "sent": "int",
        "delivered": "int",
        "bounced": "int",
        "bounced_hard": "int",
        "failed": "int",
        "rejected": "int",
        "suppressed": "int",
        "complained": "int",
        "opened": "int",
        "opened_unique": "int",
        "opened_machine": "int",
        "clicked": "int",
        "clicked_unique": "int",
        "clicked_machine": "int",
        "unsubscribed": "int",
    },
)

CampaignEstimate = t.TypedDict(
    "CampaignEstimate",
    {
        "object": "t.Literal['campaign_estimate']",
        "count": "int",
        "is_estimated": "bool",
        "begins_at": "str",
        "ends_at": "t.Optional[str]",
    },
)

CampaignEventData = t.TypedDict(
    "CampaignEventData",
    {
        "id": "str",
        "name": "str",
    },
)

CampaignLink = t.TypedDict(
    "CampaignLink",
    {
        "object": "t.Literal['campaign_link']",
        "id": "str",
        "url": "t.Optional[str]",
        "clicked": "int",
        "clicked_unique": "int",
        "clicked_machine": "int",
    },
)

CampaignLinkList = t.TypedDict(
    "CampaignLinkList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[CampaignLink]",
    },
)

CampaignMetrics = t.TypedDict(
    "CampaignMetrics",
    {
        "object": "t.Literal['campaign_metrics']",
        "id": "str",
        "recipients": "CampaignRecipients",
        "totals": "CampaignCounts",
        "providers": "t.List[CampaignMetricsProvider]",
        "hours": "t.List[CampaignMetricsHour]",
    },
)

CampaignMetricsHour = t.TypedDict(
    "CampaignMetricsHour",
    {
        "at": "str",
        "counts": "CampaignCounts",
    },
)

CampaignMetricsProvider = t.TypedDict(
    "CampaignMetricsProvider",
    {
        "provider": "str",
        "counts": "CampaignCounts",
    },
)

CampaignPausedEvent = t.TypedDict(
    "CampaignPausedEvent",
    {
        "type": "t.Literal['campaign.paused']",
        "created_at": "str",
        "data": "CampaignPausedEventData",
    },
)

CampaignPausedEventData = t.TypedDict(
    "CampaignPausedEventData",
    {
        "id": "str",
        "name": "str",
        "reason": "str",
    },
)

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

CampaignRecipient = t.TypedDict(
    "CampaignRecipient",
    {
        "object": "t.Literal['campaign_recipient']",
        "id": "str",
        "contact_id": "str",
        "email": "t.Optional[str]",
        "state": "t.Literal['waiting', 'accepted', 'skipped', 'failed']",
        "reason": "t.Optional[str]",
        "email_id": "t.Optional[str]",
        "email_status": "t.Optional[str]",
        "updated_at": "str",
    },
)

CampaignRecipientList = t.TypedDict(
    "CampaignRecipientList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[CampaignRecipient]",
    },
)

CampaignRecipients = t.TypedDict(
    "CampaignRecipients",
    {
        "waiting": "int",
        "accepted": "int",
        "skipped": "int",
        "failed": "int",
    },
)

CampaignResumedEvent = t.TypedDict(
    "CampaignResumedEvent",
    {
        "type": "t.Literal['campaign.resumed']",
        "created_at": "str",
        "data": "CampaignEventData",
    },
)

CampaignRetry = t.TypedDict(
    "CampaignRetry",
    {
        "object": "t.Literal['campaign_retry']",
        "campaign_id": "str",
        "count": "int",
    },
)

CampaignSentEvent = t.TypedDict(
    "CampaignSentEvent",
    {
        "type": "t.Literal['campaign.sent']",
        "created_at": "str",
        "data": "CampaignSentEventData",
    },
)

CampaignSentEventData = t.TypedDict(
    "CampaignSentEventData",
    {
        "id": "str",
        "name": "str",
        "recipients": "CampaignSentEventDataRecipients",
    },
)

CampaignSentEventDataRecipients = t.TypedDict(
    "CampaignSentEventDataRecipients",
    {
        "accepted": "int",
        "skipped": "int",
        "failed": "int",
    },
)

CampaignStartedEvent = t.TypedDict(
    "CampaignStartedEvent",
    {
        "type": "t.Literal['campaign.started']",
        "created_at": "str",
        "data": "CampaignEventData",
    },
)

CampaignSummary = t.TypedDict(
    "CampaignSummary",
    {
        "object": "t.Literal['campaign']",
        "id": "str",
        "name": "str",
        "status": "t.Literal['draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled']",
        "sender_id": "t.Optional[str]",
        "template_id": "t.Optional[str]",
        "subject": "t.Optional[str]",
        "preview_text": "t.Optional[str]",
        "reply_to": "t.Optional[str]",
        "segment_id": "t.Optional[str]",
        "list_id": "t.Optional[str]",
        "audience": "Audience",
        "scheduled_at": "t.Optional[str]",
        "paused_reason": "t.Optional[str]",
        "started_at": "t.Optional[str]",
        "ended_at": "t.Optional[str]",
        "rate_per_hour": "t.Optional[int]",
        "send_window": "t.Optional[SendWindow]",
        "recipients": "CampaignRecipients",
        "totals": "CampaignCounts",
        "created_at": "str",
        "updated_at": "str",
    },
)

CampaignSummaryList = t.TypedDict(
    "CampaignSummaryList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[CampaignSummary]",
    },
)

CampaignTest = t.TypedDict(
    "CampaignTest",
    {
        "object": "t.Literal['campaign_test']",
        "data": "t.List[CampaignTestData]",
    },
)

CampaignTestData = t.TypedDict(
    "CampaignTestData",
    {
        "to": "str",
        "id": "t.Optional[str]",
        "error": "t.Optional[str]",
    },
)

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

CapturedEmailAttachment = t.TypedDict(
    "CapturedEmailAttachment",
    {
        "filename": "t.Optional[str]",
        "content_type": "str",
        "content_id": "t.Optional[str]",
        "size": "int",
        "content": "str",
    },
)

CapturedEmailHeader = t.TypedDict(
    "CapturedEmailHeader",
    {
        "name": "str",
        "value": "str",
    },
)

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

CapturedEmailSummaryList = t.TypedDict(
    "CapturedEmailSummaryList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[CapturedEmailSummary]",
    },
)

Contact = t.TypedDict(
    "Contact",
    {
        "object": "t.Literal['contact']",
        "id": "str",
        "email": "str",
        "first_name": "str",
        "last_name": "str",
        "user_id": "str",
        "time_zone": "str",
        "unsubscribed": "bool",
        "properties": "t.Dict[str, t.Union[str, float]]",
        "lists": "t.List[ListRef]",
        "created_at": "str",
        "updated_at": "str",
    },
)

ContactCreatedEvent = t.TypedDict(
    "ContactCreatedEvent",
    {
        "type": "t.Literal['contact.created']",
        "created_at": "str",
        "data": "ContactEventData",
    },
)

ContactDeletedEvent = t.TypedDict(
    "ContactDeletedEvent",
    {
        "type": "t.Literal['contact.deleted']",
        "created_at": "str",
        "data": "ContactEventData",
    },
)

_ContactEventData = t.TypedDict(
    "_ContactEventData",
    {
        "id": "str",
        "email": "str",
    },
)


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


ContactEventDataAutomation = t.TypedDict(
    "ContactEventDataAutomation",
    {
        "id": "str",
        "run_id": "str",
        "depth": "int",
    },
)

ContactEventDataImport = t.TypedDict(
    "ContactEventDataImport",
    {
        "id": "str",
        "runs_automations": "bool",
    },
)

ContactEventEvent = t.TypedDict(
    "ContactEventEvent",
    {
        "type": "t.Literal['contact.event']",
        "created_at": "str",
        "data": "ContactReportedEventData",
    },
)

ContactList = t.TypedDict(
    "ContactList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[Contact]",
    },
)

_ContactListEventData = t.TypedDict(
    "_ContactListEventData",
    {
        "id": "str",
        "email": "str",
        "list_id": "str",
    },
)


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


ContactListEventDataAutomation = t.TypedDict(
    "ContactListEventDataAutomation",
    {
        "id": "str",
        "run_id": "str",
        "depth": "int",
    },
)

ContactListEventDataImport = t.TypedDict(
    "ContactListEventDataImport",
    {
        "id": "str",
        "runs_automations": "bool",
    },
)

ContactListJoinedEvent = t.TypedDict(
    "ContactListJoinedEvent",
    {
        "type": "t.Literal['contact.list_joined']",
        "created_at": "str",
        "data": "ContactListEventData",
    },
)

ContactListLeftEvent = t.TypedDict(
    "ContactListLeftEvent",
    {
        "type": "t.Literal['contact.list_left']",
        "created_at": "str",
        "data": "ContactListEventData",
    },
)

_ContactReportedEventData = t.TypedDict(
    "_ContactReportedEventData",
    {
        "id": "str",
        "email": "str",
        "event": "str",
        "payload": "t.Dict[str, t.Any]",
        "occurred_at": "str",
    },
)


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


ContactReportedEventDataAutomation = t.TypedDict(
    "ContactReportedEventDataAutomation",
    {
        "id": "str",
        "run_id": "str",
        "depth": "int",
    },
)

ContactReportedEventDataImport = t.TypedDict(
    "ContactReportedEventDataImport",
    {
        "id": "str",
        "runs_automations": "bool",
    },
)

ContactUnsubscribedEvent = t.TypedDict(
    "ContactUnsubscribedEvent",
    {
        "type": "t.Literal['contact.unsubscribed']",
        "created_at": "str",
        "data": "ContactUnsubscribedEventData",
    },
)

_ContactUnsubscribedEventData = t.TypedDict(
    "_ContactUnsubscribedEventData",
    {
        "id": "t.Optional[str]",
        "email": "str",
    },
)


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


ContactUnsubscribedEventDataAutomation = t.TypedDict(
    "ContactUnsubscribedEventDataAutomation",
    {
        "id": "str",
        "run_id": "str",
        "depth": "int",
    },
)

ContactUnsubscribedEventDataImport = t.TypedDict(
    "ContactUnsubscribedEventDataImport",
    {
        "id": "str",
        "runs_automations": "bool",
    },
)

ContactUpdatedEvent = t.TypedDict(
    "ContactUpdatedEvent",
    {
        "type": "t.Literal['contact.updated']",
        "created_at": "str",
        "data": "ContactUpdatedEventData",
    },
)

_ContactUpdatedEventData = t.TypedDict(
    "_ContactUpdatedEventData",
    {
        "id": "str",
        "email": "str",
    },
)


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


ContactUpdatedEventDataAutomation = t.TypedDict(
    "ContactUpdatedEventDataAutomation",
    {
        "id": "str",
        "run_id": "str",
        "depth": "int",
    },
)

ContactUpdatedEventDataChange = t.TypedDict(
    "ContactUpdatedEventDataChange",
    {
        "from": "t.Optional[t.Union[str, float, bool]]",
        "to": "t.Optional[t.Union[str, float, bool]]",
    },
)

ContactUpdatedEventDataImport = t.TypedDict(
    "ContactUpdatedEventDataImport",
    {
        "id": "str",
        "runs_automations": "bool",
    },
)

CountSegmentContactsRequest = t.TypedDict(
    "CountSegmentContactsRequest",
    {
        "match_type": "t.Optional[t.Literal['all', 'any']]",
        "filters": "t.Optional[SegmentFiltersInput]",
    },
    total=False,
)

_CreateApiKeyRequest = t.TypedDict(
    "_CreateApiKeyRequest",
    {
        "name": "str",
    },
)


_CreateApiKeyRequestOptional = t.TypedDict(
    "_CreateApiKeyRequestOptional",
    {
        "permission": "t.Optional[t.Literal['full', 'send', 'full_access', 'sending_access']]",
        "domain_id": "t.Optional[str]",
        "expires_at": "t.Optional[str]",
    },
    total=False,
)


class CreateApiKeyRequest(_CreateApiKeyRequest, _CreateApiKeyRequestOptional):
    pass


_CreateAutomationRequest = t.TypedDict(
    "_CreateAutomationRequest",
    {
        "name": "str",
    },
)


_CreateAutomationRequestOptional = t.TypedDict(
    "_CreateAutomationRequestOptional",
    {
        "status": "t.Optional[t.Literal['draft', 'active', 'paused', 'enabled', 'disabled']]",
        "trigger": "t.Optional[AutomationTrigger]",
        "steps": "t.Optional[t.List[AutomationStepInput]]",
        "connections": "t.Optional[t.List[AutomationConnection]]",
        "settings": "t.Optional[AutomationSettings]",
    },
    total=False,
)


class CreateAutomationRequest(_CreateAutomationRequest, _CreateAutomationRequestOptional):
    pass


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

_CreateCampaignRequest = t.TypedDict(
    "_CreateCampaignRequest",
    {
        "name": "str",
    },
)


_CreateCampaignRequestOptional = t.TypedDict(
    "_CreateCampaignRequestOptional",
    {
        "sender_id": "t.Optional[str]",
        "template_id": "t.Optional[str]",
        "subject": "t.Optional[str]",
        "preview_text": "t.Optional[str]",
        "reply_to": "t.Optional[str]",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "segment_id": "t.Optional[str]",
        "list_id": "t.Optional[str]",
        "audience": "t.Optional[AudienceInput]",
        "status": "t.Optional[t.Literal['draft', 'scheduled', 'sending', 'paused', 'canceled']]",
        "scheduled_at": "t.Union[str, datetime, None]",
        "rate_per_hour": "t.Optional[int]",
        "send_window": "t.Optional[SendWindow]",
    },
    total=False,
)


class CreateCampaignRequest(_CreateCampaignRequest, _CreateCampaignRequestOptional):
    pass


_CreateContactRequest = t.TypedDict(
    "_CreateContactRequest",
    {
        "email": "str",
    },
)


_CreateContactRequestOptional = t.TypedDict(
    "_CreateContactRequestOptional",
    {
        "first_name": "t.Optional[str]",
        "last_name": "t.Optional[str]",
        "user_id": "t.Optional[str]",
        "time_zone": "t.Optional[str]",
        "unsubscribed": "t.Optional[bool]",
        "list_ids": "t.Optional[t.List[str]]",
        "properties": "t.Optional[t.Dict[str, t.Optional[t.Union[str, float]]]]",
    },
    total=False,
)


class CreateContactRequest(_CreateContactRequest, _CreateContactRequestOptional):
    pass


_CreateDomainRequest = t.TypedDict(
    "_CreateDomainRequest",
    {
        "name": "str",
    },
)


_CreateDomainRequestOptional = t.TypedDict(
    "_CreateDomainRequestOptional",
    {
        "open_tracking": "t.Optional[bool]",
        "click_tracking": "t.Optional[bool]",
        "tls": "t.Optional[t.Literal['opportunistic', 'enforced']]",
        "dkim_ed25519": "t.Optional[bool]",
    },
    total=False,
)


class CreateDomainRequest(_CreateDomainRequest, _CreateDomainRequestOptional):
    pass


_CreateEventDefinitionRequest = t.TypedDict(
    "_CreateEventDefinitionRequest",
    {
        "name": "str",
    },
)


_CreateEventDefinitionRequestOptional = t.TypedDict(
    "_CreateEventDefinitionRequestOptional",
    {
        "schema": "t.Optional[t.Dict[str, t.Literal['string', 'number', 'boolean', 'date']]]",
    },
    total=False,
)


class CreateEventDefinitionRequest(_CreateEventDefinitionRequest, _CreateEventDefinitionRequestOptional):
    pass


CreateListRequest = t.TypedDict(
    "CreateListRequest",
    {
        "name": "str",
    },
)

_CreatePropertyRequest = t.TypedDict(
    "_CreatePropertyRequest",
    {
        "key": "str",
        "type": "t.Literal['string', 'number', 'date']",
    },
)


_CreatePropertyRequestOptional = t.TypedDict(
    "_CreatePropertyRequestOptional",
    {
        "fallback_value": "t.Optional[str]",
    },
    total=False,
)


class CreatePropertyRequest(_CreatePropertyRequest, _CreatePropertyRequestOptional):
    pass


_CreateSegmentRequest = t.TypedDict(
    "_CreateSegmentRequest",
    {
        "name": "str",
    },
)


_CreateSegmentRequestOptional = t.TypedDict(
    "_CreateSegmentRequestOptional",
    {
        "match_type": "t.Optional[t.Literal['all', 'any']]",
        "filters": "t.Optional[SegmentFiltersInput]",
    },
    total=False,
)


class CreateSegmentRequest(_CreateSegmentRequest, _CreateSegmentRequestOptional):
    pass


_CreateSenderRequest = t.TypedDict(
    "_CreateSenderRequest",
    {
        "name": "str",
        "username": "str",
        "domain_id": "str",
    },
)


_CreateSenderRequestOptional = t.TypedDict(
    "_CreateSenderRequestOptional",
    {
        "reply_to": "t.Optional[str]",
    },
    total=False,
)


class CreateSenderRequest(_CreateSenderRequest, _CreateSenderRequestOptional):
    pass


_CreateTeamRequest = t.TypedDict(
    "_CreateTeamRequest",
    {
        "name": "str",
    },
)


_CreateTeamRequestOptional = t.TypedDict(
    "_CreateTeamRequestOptional",
    {
        "plan": "t.Optional[t.Literal['free', '10k', '25k', '50k', '75k', '100k', '150k', '250k', '500k', '750k', '1m', '2m', '5m', 'unlimited']]",
    },
    total=False,
)


class CreateTeamRequest(_CreateTeamRequest, _CreateTeamRequestOptional):
    pass


CreateTemplateFolderRequest = t.TypedDict(
    "CreateTemplateFolderRequest",
    {
        "name": "str",
    },
)

_CreateTemplateRequest = t.TypedDict(
    "_CreateTemplateRequest",
    {
        "name": "str",
        "subject": "str",
    },
)


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


_CreateUnsubscriptionRequest = t.TypedDict(
    "_CreateUnsubscriptionRequest",
    {
        "email": "str",
    },
)


_CreateUnsubscriptionRequestOptional = t.TypedDict(
    "_CreateUnsubscriptionRequestOptional",
    {
        "list_id": "t.Optional[str]",
        "topic": "t.Optional[str]",
    },
    total=False,
)


class CreateUnsubscriptionRequest(_CreateUnsubscriptionRequest, _CreateUnsubscriptionRequestOptional):
    pass


CreateWebhookRequest = t.TypedDict(
    "CreateWebhookRequest",
    {
        "endpoint": "t.Optional[str]",
        "url": "t.Optional[str]",
        "events": "t.Optional[t.List[str]]",
        "description": "t.Optional[str]",
    },
    total=False,
)

DatabaseHealth = t.TypedDict(
    "DatabaseHealth",
    {
        "reachable": "t.Literal[True]",
        "kind": "t.Literal['embedded', 'external']",
        "version": "str",
        "size_bytes": "int",
        "in_recovery": "bool",
        "connections": "int",
        "connections_max": "int",
        "replicas": "t.List[DatabaseHealthReplica]",
    },
)

DatabaseHealth1 = t.TypedDict(
    "DatabaseHealth1",
    {
        "reachable": "t.Literal[False]",
        "kind": "t.Literal['embedded', 'external']",
    },
)

DatabaseHealthReplica = t.TypedDict(
    "DatabaseHealthReplica",
    {
        "name": "str",
        "state": "t.Optional[str]",
        "lag_bytes": "t.Optional[int]",
    },
)

DeleteCapturedEmailsResponse = t.TypedDict(
    "DeleteCapturedEmailsResponse",
    {
        "object": "t.Literal['captured']",
        "deleted": "t.Literal[True]",
        "count": "int",
    },
)

Deleted = t.TypedDict(
    "Deleted",
    {
        "object": "str",
        "id": "str",
        "deleted": "t.Literal[True]",
    },
)

DeletedContact = t.TypedDict(
    "DeletedContact",
    {
        "object": "t.Literal['contact']",
        "id": "str",
        "contact": "str",
        "deleted": "t.Literal[True]",
    },
)

DeletedListMembership = t.TypedDict(
    "DeletedListMembership",
    {
        "object": "t.Literal['contact_list']",
        "id": "str",
        "contact": "str",
        "deleted": "t.Literal[True]",
    },
)

DeletedSegmentMembership = t.TypedDict(
    "DeletedSegmentMembership",
    {
        "object": "t.Literal['contact_segment']",
        "id": "str",
        "audienceId": "str",
        "deleted": "t.Literal[True]",
    },
)

DeliveryTimes = t.TypedDict(
    "DeliveryTimes",
    {
        "p50": "t.Optional[int]",
        "p90": "t.Optional[int]",
        "p95": "t.Optional[int]",
        "p99": "t.Optional[int]",
    },
)

DnsProvider = t.TypedDict(
    "DnsProvider",
    {
        "object": "t.Literal['dns_provider']",
        "zone": "t.Optional[str]",
        "name_servers": "t.List[str]",
        "name": "t.Optional[str]",
        "url": "t.Optional[str]",
    },
)

DnsRecord = t.TypedDict(
    "DnsRecord",
    {
        "record": "str",
        "type": "str",
        "name": "str",
        "value": "str",
        "ttl": "str",
        "status": "t.Literal['pending', 'verified', 'failed', 'temporary_failure']",
        "required": "bool",
        "found": "t.Optional[t.List[str]]",
        "advice": "t.Optional[str]",
        "checked_at": "t.Optional[str]",
    },
)

Domain = t.TypedDict(
    "Domain",
    {
        "object": "t.Literal['domain']",
        "id": "str",
        "name": "str",
        "status": "t.Literal['pending', 'verified', 'failed', 'temporary_failure']",
        "status_reason": "t.Optional[str]",
        "captured": "bool",
        "open_tracking": "bool",
        "click_tracking": "bool",
        "tls": "t.Literal['opportunistic', 'enforced']",
        "dkim_ed25519": "bool",
        "region": "None",
        "capabilities": "DomainCapabilities",
        "verified_at": "t.Optional[str]",
        "checked_at": "t.Optional[str]",
        "created_at": "str",
        "updated_at": "str",
        "records": "t.List[DnsRecord]",
    },
)

DomainCapabilities = t.TypedDict(
    "DomainCapabilities",
    {
        "sending": "t.Literal['enabled']",
        "receiving": "t.Literal['disabled']",
    },
)

DomainCreatedEvent = t.TypedDict(
    "DomainCreatedEvent",
    {
        "type": "t.Literal['domain.created']",
        "created_at": "str",
        "data": "DomainEventData",
    },
)

DomainDeletedEvent = t.TypedDict(
    "DomainDeletedEvent",
    {
        "type": "t.Literal['domain.deleted']",
        "created_at": "str",
        "data": "DomainEventData",
    },
)

DomainEventData = t.TypedDict(
    "DomainEventData",
    {
        "id": "str",
        "name": "str",
        "status": "str",
        "reason": "t.Optional[str]",
        "created_at": "str",
    },
)

DomainFailedEvent = t.TypedDict(
    "DomainFailedEvent",
    {
        "type": "t.Literal['domain.failed']",
        "created_at": "str",
        "data": "DomainEventData",
    },
)

DomainRef = t.TypedDict(
    "DomainRef",
    {
        "id": "str",
        "name": "t.Optional[str]",
    },
)

DomainSummary = t.TypedDict(
    "DomainSummary",
    {
        "object": "t.Literal['domain']",
        "id": "str",
        "name": "str",
        "status": "t.Literal['pending', 'verified', 'failed', 'temporary_failure']",
        "status_reason": "t.Optional[str]",
        "captured": "bool",
        "open_tracking": "bool",
        "click_tracking": "bool",
        "tls": "t.Literal['opportunistic', 'enforced']",
        "dkim_ed25519": "bool",
        "region": "None",
        "capabilities": "DomainSummaryCapabilities",
        "verified_at": "t.Optional[str]",
        "checked_at": "t.Optional[str]",
        "created_at": "str",
        "updated_at": "str",
    },
)

DomainSummaryCapabilities = t.TypedDict(
    "DomainSummaryCapabilities",
    {
        "sending": "t.Literal['enabled']",
        "receiving": "t.Literal['disabled']",
    },
)

DomainSummaryList = t.TypedDict(
    "DomainSummaryList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[DomainSummary]",
    },
)

DomainVerifiedEvent = t.TypedDict(
    "DomainVerifiedEvent",
    {
        "type": "t.Literal['domain.verified']",
        "created_at": "str",
        "data": "DomainEventData",
    },
)

DryRunAutomationRequest = t.TypedDict(
    "DryRunAutomationRequest",
    {
        "contact_id": "t.Optional[str]",
        "email": "t.Optional[str]",
        "payload": "t.Optional[t.Dict[str, t.Any]]",
        "events": "t.Optional[t.List[str]]",
    },
    total=False,
)

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
        "attachments": "t.List[EmailAttachment]",
        "content_expired": "bool",
        "recipients": "t.List[EmailRecipient]",
        "events": "t.List[EmailEvent]",
    },
)

EmailAttachment = t.TypedDict(
    "EmailAttachment",
    {
        "object": "t.Literal['attachment']",
        "id": "str",
        "filename": "str",
        "size": "int",
        "content_type": "str",
        "content_disposition": "t.Literal['inline', 'attachment']",
        "content_id": "t.Optional[str]",
        "download_url": "str",
        "expires_at": "str",
    },
)

EmailAttachmentList = t.TypedDict(
    "EmailAttachmentList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[EmailAttachment]",
    },
)

EmailBouncedEvent = t.TypedDict(
    "EmailBouncedEvent",
    {
        "type": "t.Literal['email.bounced']",
        "created_at": "str",
        "data": "EmailBouncedEventData",
    },
)

_EmailBouncedEventData = t.TypedDict(
    "_EmailBouncedEventData",
    {
        "email_id": "str",
        "recipient": "str",
        "bounce": "EmailBouncedEventDataBounce",
    },
)


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


EmailBouncedEventDataBounce = t.TypedDict(
    "EmailBouncedEventDataBounce",
    {
        "type": "str",
        "subType": "str",
        "message": "str",
    },
)

EmailCanceledEvent = t.TypedDict(
    "EmailCanceledEvent",
    {
        "type": "t.Literal['email.canceled']",
        "created_at": "str",
        "data": "EmailCanceledEventData",
    },
)

_EmailCanceledEventData = t.TypedDict(
    "_EmailCanceledEventData",
    {
        "email_id": "str",
    },
)


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


EmailClickedEvent = t.TypedDict(
    "EmailClickedEvent",
    {
        "type": "t.Literal['email.clicked']",
        "created_at": "str",
        "data": "EmailClickedEventData",
    },
)

_EmailClickedEventData = t.TypedDict(
    "_EmailClickedEventData",
    {
        "email_id": "str",
        "recipient": "t.Optional[str]",
        "ip_address": "str",
        "user_agent": "t.Optional[str]",
        "is_machine": "bool",
        "machine_reason": "t.Optional[str]",
        "link": "str",
        "click": "EmailClickedEventDataClick",
    },
)


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


EmailClickedEventDataClick = t.TypedDict(
    "EmailClickedEventDataClick",
    {
        "link": "str",
        "ipAddress": "str",
        "userAgent": "str",
        "timestamp": "str",
    },
)

EmailComplainedEvent = t.TypedDict(
    "EmailComplainedEvent",
    {
        "type": "t.Literal['email.complained']",
        "created_at": "str",
        "data": "EmailComplainedEventData",
    },
)

_EmailComplainedEventData = t.TypedDict(
    "_EmailComplainedEventData",
    {
        "email_id": "str",
        "recipient": "str",
    },
)


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


EmailCounts = t.TypedDict(
    "EmailCounts",
    {
        "emails": "int",
        "accepted": "int",
        "queued": "int",
        "scheduled": "int",
        "canceled": "int",
        "attempted": "int",
        "sent": "int",
        "delivered": "int",
        "delivery_delayed": "int",
        "bounced": "int",
        "bounced_hard": "int",
        "failed": "int",
        "rejected": "int",
        "suppressed": "int",
        "complained": "int",
        "opened": "int",
        "opened_unique": "int",
        "opened_machine": "int",
        "clicked": "int",
        "clicked_unique": "int",
        "clicked_machine": "int",
    },
)

EmailDeliveredEvent = t.TypedDict(
    "EmailDeliveredEvent",
    {
        "type": "t.Literal['email.delivered']",
        "created_at": "str",
        "data": "EmailReplyEventData",
    },
)

EmailDeliveryDelayedEvent = t.TypedDict(
    "EmailDeliveryDelayedEvent",
    {
        "type": "t.Literal['email.delivery_delayed']",
        "created_at": "str",
        "data": "EmailDeliveryDelayedEventData",
    },
)

_EmailDeliveryDelayedEventData = t.TypedDict(
    "_EmailDeliveryDelayedEventData",
    {
        "email_id": "str",
        "recipient": "str",
    },
)


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


EmailEvent = t.TypedDict(
    "EmailEvent",
    {
        "object": "t.Literal['event']",
        "id": "str",
        "type": "t.Literal['email.queued', 'email.scheduled', 'email.sent', 'email.delivered', 'email.delivery_delayed', 'email.bounced', 'email.failed', 'email.rejected', 'email.suppressed', 'email.canceled', 'email.complained', 'email.opened', 'email.clicked', 'email.received', 'contact.created', 'contact.updated', 'contact.deleted', 'contact.list_joined', 'contact.list_left', 'contact.event', 'contact.unsubscribed', 'domain.created', 'domain.verified', 'domain.failed', 'domain.deleted', 'suppression.added', 'suppression.removed', 'campaign.started', 'campaign.paused', 'campaign.resumed', 'campaign.sent', 'campaign.canceled', 'webhook.disabled', 'team.paused', 'team.resumed']",
        "created_at": "str",
        "data": "t.Dict[str, t.Any]",
    },
)

_EmailEventData = t.TypedDict(
    "_EmailEventData",
    {
        "email_id": "str",
    },
)


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


EmailFailedEvent = t.TypedDict(
    "EmailFailedEvent",
    {
        "type": "t.Literal['email.failed']",
        "created_at": "str",
        "data": "EmailFailedEventData",
    },
)

_EmailFailedEventData = t.TypedDict(
    "_EmailFailedEventData",
    {
        "email_id": "str",
        "recipient": "str",
        "failed": "EmailFailedEventDataFailed",
    },
)


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


EmailFailedEventDataFailed = t.TypedDict(
    "EmailFailedEventDataFailed",
    {
        "reason": "str",
    },
)

EmailMetrics = t.TypedDict(
    "EmailMetrics",
    {
        "object": "t.Literal['metrics']",
        "interval": "t.Literal['hour', 'day']",
        "time_zone": "str",
        "start_date": "str",
        "end_date": "str",
        "as_of": "t.Optional[str]",
        "totals": "EmailCounts",
        "rates": "EmailRates",
        "time_to_deliver_ms": "DeliveryTimes",
        "series": "t.List[EmailMetricsSerie]",
        "group_by": "t.Optional[t.Literal['domain', 'tag', 'template', 'sender', 'provider', 'reason']]",
        "groups": "t.List[EmailMetricsGroup]",
    },
)

EmailMetricsGroup = t.TypedDict(
    "EmailMetricsGroup",
    {
        "key": "str",
        "name": "t.Optional[str]",
        "counts": "EmailCounts",
        "rates": "EmailRates",
        "time_to_deliver_ms": "DeliveryTimes",
    },
)

EmailMetricsSerie = t.TypedDict(
    "EmailMetricsSerie",
    {
        "at": "str",
        "counts": "EmailCounts",
        "rates": "EmailRates",
        "time_to_deliver_ms": "DeliveryTimes",
    },
)

EmailOpenedEvent = t.TypedDict(
    "EmailOpenedEvent",
    {
        "type": "t.Literal['email.opened']",
        "created_at": "str",
        "data": "EmailVisitEventData",
    },
)

EmailOutcomes = t.TypedDict(
    "EmailOutcomes",
    {
        "emails": "int",
        "delivered": "int",
        "sent": "int",
        "partially_delivered": "int",
        "bounced": "int",
        "failed": "int",
        "rejected": "int",
        "suppressed": "int",
        "canceled": "int",
        "in_progress": "int",
        "opened": "int",
        "clicked": "int",
        "complained": "int",
    },
)

EmailQueuedEvent = t.TypedDict(
    "EmailQueuedEvent",
    {
        "type": "t.Literal['email.queued']",
        "created_at": "str",
        "data": "EmailEventData",
    },
)

EmailRates = t.TypedDict(
    "EmailRates",
    {
        "delivered": "t.Optional[float]",
        "bounced": "t.Optional[float]",
        "complained": "t.Optional[float]",
        "opened": "t.Optional[float]",
        "clicked": "t.Optional[float]",
    },
)

_EmailReasonEventData = t.TypedDict(
    "_EmailReasonEventData",
    {
        "email_id": "str",
        "recipient": "str",
    },
)


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


EmailReceivedEvent = t.TypedDict(
    "EmailReceivedEvent",
    {
        "type": "t.Literal['email.received']",
        "created_at": "str",
        "data": "EmailEventData",
    },
)

EmailRecipient = t.TypedDict(
    "EmailRecipient",
    {
        "email": "str",
        "type": "t.Literal['to', 'cc', 'bcc']",
        "status": "t.Literal['scheduled', 'queued', 'sent', 'delivered', 'delivery_delayed', 'bounced', 'failed', 'suppressed', 'canceled', 'rejected']",
        "smtp_code": "t.Optional[int]",
        "enhanced_code": "t.Optional[str]",
        "response": "t.Optional[str]",
        "category": "t.Optional[str]",
        "advice": "t.Optional[str]",
        "mx_host": "t.Optional[str]",
        "attempts": "int",
        "next_attempt_at": "t.Optional[str]",
        "updated_at": "str",
    },
)

EmailRef = t.TypedDict(
    "EmailRef",
    {
        "object": "t.Literal['email']",
        "id": "str",
    },
)

EmailRejectedEvent = t.TypedDict(
    "EmailRejectedEvent",
    {
        "type": "t.Literal['email.rejected']",
        "created_at": "str",
        "data": "EmailReasonEventData",
    },
)

_EmailReplyEventData = t.TypedDict(
    "_EmailReplyEventData",
    {
        "email_id": "str",
        "recipient": "str",
    },
)


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


EmailScheduledEvent = t.TypedDict(
    "EmailScheduledEvent",
    {
        "type": "t.Literal['email.scheduled']",
        "created_at": "str",
        "data": "EmailScheduledEventData",
    },
)

_EmailScheduledEventData = t.TypedDict(
    "_EmailScheduledEventData",
    {
        "email_id": "str",
    },
)


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


EmailSentEvent = t.TypedDict(
    "EmailSentEvent",
    {
        "type": "t.Literal['email.sent']",
        "created_at": "str",
        "data": "EmailReplyEventData",
    },
)

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

EmailSummaryList = t.TypedDict(
    "EmailSummaryList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[EmailSummary]",
    },
)

EmailSummaryTag = t.TypedDict(
    "EmailSummaryTag",
    {
        "name": "str",
        "value": "str",
    },
)

EmailSuppressedEvent = t.TypedDict(
    "EmailSuppressedEvent",
    {
        "type": "t.Literal['email.suppressed']",
        "created_at": "str",
        "data": "EmailSuppressedEventData",
    },
)

_EmailSuppressedEventData = t.TypedDict(
    "_EmailSuppressedEventData",
    {
        "email_id": "str",
        "recipient": "str",
        "suppressed": "EmailSuppressedEventDataSuppressed",
    },
)


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


EmailSuppressedEventDataSuppressed = t.TypedDict(
    "EmailSuppressedEventDataSuppressed",
    {
        "type": "str",
        "message": "str",
    },
)

EmailTag = t.TypedDict(
    "EmailTag",
    {
        "name": "str",
        "value": "str",
    },
)

_EmailVisitEventData = t.TypedDict(
    "_EmailVisitEventData",
    {
        "email_id": "str",
        "recipient": "t.Optional[str]",
        "ip_address": "str",
        "user_agent": "t.Optional[str]",
        "is_machine": "bool",
        "machine_reason": "t.Optional[str]",
    },
)


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


ErasePersonRequest = t.TypedDict(
    "ErasePersonRequest",
    {
        "keep_suppressed": "t.Optional[bool]",
    },
    total=False,
)

Erasure = t.TypedDict(
    "Erasure",
    {
        "object": "t.Literal['erasure']",
        "id": "str",
        "status": "t.Literal['running', 'waiting', 'completed']",
        "emails": "int",
        "waiting_emails": "int",
        "created_at": "str",
        "finished_at": "t.Optional[str]",
    },
)

Event = t.TypedDict(
    "Event",
    {
        "object": "t.Literal['event']",
        "id": "str",
        "type": "t.Literal['email.queued', 'email.scheduled', 'email.sent', 'email.delivered', 'email.delivery_delayed', 'email.bounced', 'email.failed', 'email.rejected', 'email.suppressed', 'email.canceled', 'email.complained', 'email.opened', 'email.clicked', 'email.received', 'contact.created', 'contact.updated', 'contact.deleted', 'contact.list_joined', 'contact.list_left', 'contact.event', 'contact.unsubscribed', 'domain.created', 'domain.verified', 'domain.failed', 'domain.deleted', 'suppression.added', 'suppression.removed', 'campaign.started', 'campaign.paused', 'campaign.resumed', 'campaign.sent', 'campaign.canceled', 'webhook.disabled', 'team.paused', 'team.resumed']",
        "created_at": "str",
        "data": "t.Dict[str, t.Any]",
    },
)

EventDefinition = t.TypedDict(
    "EventDefinition",
    {
        "object": "t.Literal['event']",
        "id": "str",
        "name": "str",
        "schema": "t.Optional[t.Dict[str, t.Literal['string', 'number', 'boolean', 'date']]]",
        "created_at": "str",
        "updated_at": "str",
    },
)

EventDefinitionList = t.TypedDict(
    "EventDefinitionList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[EventDefinition]",
    },
)

EventPage = t.TypedDict(
    "EventPage",
    {
        "object": "t.Literal['list']",
        "data": "t.List[Event]",
        "has_more": "bool",
        "next_cursor": "str",
    },
)

ExportPersonResponse = t.TypedDict(
    "ExportPersonResponse",
    {
    },
    total=False,
)

GoLive = t.TypedDict(
    "GoLive",
    {
        "object": "t.Literal['go_live']",
        "delivery": "t.Literal['capture', 'direct', 'relay']",
        "domain": "GoLiveDomain",
        "email": "GoLiveEmail",
        "server": "t.Optional[t.Literal['ok', 'note', 'warning', 'problem']]",
    },
)

GoLiveDomain = t.TypedDict(
    "GoLiveDomain",
    {
        "id": "str",
        "name": "str",
        "status": "t.Literal['pending', 'verified', 'failed', 'temporary_failure']",
        "captured": "bool",
    },
)

GoLiveEmail = t.TypedDict(
    "GoLiveEmail",
    {
        "id": "str",
        "recipient": "str",
        "status": "str",
        "host": "t.Optional[str]",
        "response": "t.Optional[str]",
        "updated_at": "str",
    },
)

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

ImportError = t.TypedDict(
    "ImportError",
    {
        "object": "t.Literal['import_error']",
        "id": "str",
        "line": "int",
        "message": "str",
        "value": "t.Optional[str]",
    },
)

ImportErrorList = t.TypedDict(
    "ImportErrorList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[ImportError]",
    },
)

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

ImportSummaryList = t.TypedDict(
    "ImportSummaryList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[ImportSummary]",
    },
)

InstallationHealth = t.TypedDict(
    "InstallationHealth",
    {
        "object": "t.Literal['health']",
        "as_of": "str",
        "version": "str",
        "status": "t.Literal['ok', 'warning', 'problem']",
        "delivery": "t.Literal['capture', 'direct', 'relay']",
        "database": "t.Union[DatabaseHealth, DatabaseHealth1]",
        "disk": "InstallationHealthDisk",
        "queue": "InstallationHealthQueue",
        "certificate_expires_at": "t.Optional[str]",
        "last_backup": "InstallationHealthLastBackup",
        "findings": "t.List[InstallationHealthFinding]",
    },
)

InstallationHealthDisk = t.TypedDict(
    "InstallationHealthDisk",
    {
        "free_bytes": "int",
        "total_bytes": "int",
    },
)

InstallationHealthFinding = t.TypedDict(
    "InstallationHealthFinding",
    {
        "check": "str",
        "level": "t.Literal['ok', 'note', 'warning', 'problem']",
        "found": "str",
        "advice": "t.Optional[str]",
    },
)

InstallationHealthLastBackup = t.TypedDict(
    "InstallationHealthLastBackup",
    {
        "made_at": "str",
        "rows": "int",
        "bytes": "int",
    },
)

InstallationHealthQueue = t.TypedDict(
    "InstallationHealthQueue",
    {
        "oldest_ready_seconds": "int",
        "oldest_ready_seconds_max": "t.Optional[float]",
    },
)

InviteToTeamRequest = t.TypedDict(
    "InviteToTeamRequest",
    {
        "email": "str",
        "role": "t.Literal['owner', 'admin', 'member', 'viewer']",
    },
)

List = t.TypedDict(
    "List",
    {
        "object": "t.Literal['list']",
        "id": "str",
        "name": "str",
        "created_at": "str",
        "updated_at": "str",
        "contact_count": "int",
    },
)

ListAutomationVersionsResponse = t.TypedDict(
    "ListAutomationVersionsResponse",
    {
        "object": "t.Literal['list']",
        "data": "t.List[AutomationVersion]",
    },
)

ListList = t.TypedDict(
    "ListList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[List]",
    },
)

ListRef = t.TypedDict(
    "ListRef",
    {
        "object": "t.Literal['list']",
        "id": "str",
        "name": "str",
        "created_at": "str",
        "updated_at": "str",
    },
)

ListSitesResponse = t.TypedDict(
    "ListSitesResponse",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "data": "t.List[Site]",
    },
)

ListTeamsResponse = t.TypedDict(
    "ListTeamsResponse",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "data": "t.List[OperatorTeam]",
    },
)

Log = t.TypedDict(
    "Log",
    {
        "object": "t.Literal['log']",
        "id": "str",
        "created_at": "str",
        "method": "str",
        "endpoint": "str",
        "route": "t.Optional[str]",
        "response_status": "int",
        "duration_ms": "int",
        "request_size": "t.Optional[int]",
        "response_size": "t.Optional[int]",
        "user_agent": "t.Optional[str]",
        "ip_address": "t.Optional[str]",
        "api_key": "LogApiKey",
        "record_id": "t.Optional[str]",
        "request_body": "None",
        "response_body": "t.Optional[LoggedError]",
    },
)

LogApiKey = t.TypedDict(
    "LogApiKey",
    {
        "id": "str",
        "name": "t.Optional[str]",
    },
)

LogList = t.TypedDict(
    "LogList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[Log]",
    },
)

_LoggedError = t.TypedDict(
    "_LoggedError",
    {
        "statusCode": "int",
        "name": "str",
        "message": "str",
    },
)


_LoggedErrorOptional = t.TypedDict(
    "_LoggedErrorOptional",
    {
        "errors": "t.Dict[str, t.List[str]]",
    },
    total=False,
)


class LoggedError(_LoggedError, _LoggedErrorOptional):
    pass


Mailbox = t.TypedDict(
    "Mailbox",
    {
        "name": "str",
        "address": "str",
    },
)

_MoveAutomationRunsRequest = t.TypedDict(
    "_MoveAutomationRunsRequest",
    {
        "from_version": "int",
    },
)


_MoveAutomationRunsRequestOptional = t.TypedDict(
    "_MoveAutomationRunsRequestOptional",
    {
        "dry_run": "t.Optional[bool]",
    },
    total=False,
)


class MoveAutomationRunsRequest(_MoveAutomationRunsRequest, _MoveAutomationRunsRequestOptional):
    pass


Node = t.TypedDict(
    "Node",
    {
        "object": "t.Literal['node']",
        "id": "str",
        "host": "str",
        "process_id": "int",
        "roles": "t.List[t.Literal['api', 'deliver', 'inbound', 'webhooks', 'scheduler']]",
        "version": "str",
        "state": "t.Literal['up', 'silent']",
        "started_at": "str",
        "last_seen_at": "str",
        "deliveries_held": "t.Optional[int]",
        "sites": "int",
        "connections": "int",
        "memory_bytes": "int",
    },
)

NodeList = t.TypedDict(
    "NodeList",
    {
        "object": "t.Literal['list']",
        "data": "t.List[Node]",
    },
)

OperatorTeam = t.TypedDict(
    "OperatorTeam",
    {
        "object": "t.Literal['operator_team']",
        "id": "str",
        "name": "str",
        "plan": "t.Literal['free', '10k', '25k', '50k', '75k', '100k', '150k', '250k', '500k', '750k', '1m', '2m', '5m', 'unlimited']",
        "members": "int",
        "month": "OperatorTeamMonth",
        "day": "OperatorTeamDay",
        "emails_this_month": "int",
        "sending_paused_at": "t.Optional[str]",
        "sending_paused_by": "t.Optional[t.Literal['operator', 'reputation']]",
        "sending_paused_reason": "t.Optional[str]",
        "guard_until": "t.Optional[str]",
        "created_at": "str",
    },
)

OperatorTeamDay = t.TypedDict(
    "OperatorTeamDay",
    {
        "used": "int",
        "limit": "t.Optional[int]",
    },
)

OperatorTeamMonth = t.TypedDict(
    "OperatorTeamMonth",
    {
        "used": "int",
        "limit": "t.Optional[int]",
    },
)

PageLinks = t.TypedDict(
    "PageLinks",
    {
        "first": "t.Optional[str]",
        "last": "t.Optional[str]",
        "prev": "t.Optional[str]",
        "next": "t.Optional[str]",
    },
)

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

PauseSiteRequest = t.TypedDict(
    "PauseSiteRequest",
    {
        "minutes": "int",
        "reason": "str",
    },
)

PauseSiteResponse = t.TypedDict(
    "PauseSiteResponse",
    {
        "object": "t.Literal['site']",
        "name": "str",
        "paused_until": "str",
    },
)

PauseTeamRequest = t.TypedDict(
    "PauseTeamRequest",
    {
        "reason": "str",
    },
)

Plan = t.TypedDict(
    "Plan",
    {
        "object": "t.Literal['plan']",
        "id": "str",
        "name": "str",
        "month_recipients": "t.Optional[int]",
        "day_recipients": "t.Optional[int]",
        "send_requests_per_minute": "int",
        "requests_per_minute": "int",
    },
)

PlanList = t.TypedDict(
    "PlanList",
    {
        "object": "t.Literal['list']",
        "data": "t.List[Plan]",
    },
)

PreviewCampaignAudienceRequest = t.TypedDict(
    "PreviewCampaignAudienceRequest",
    {
        "audience": "t.Optional[AudienceInput]",
        "segment_id": "t.Optional[str]",
        "list_id": "t.Optional[str]",
    },
    total=False,
)

PreviewCampaignRequest = t.TypedDict(
    "PreviewCampaignRequest",
    {
        "contact_id": "t.Optional[str]",
    },
    total=False,
)

PreviewRequest = t.TypedDict(
    "PreviewRequest",
    {
        "variables": "t.Optional[t.Dict[str, t.Union[str, float]]]",
        "subject": "t.Optional[str]",
        "html_content": "t.Optional[str]",
        "text_content": "t.Optional[str]",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "variable_definitions": "t.Optional[t.List[TemplateVariableInput]]",
        "draft": "t.Optional[bool]",
        "allow_missing": "t.Optional[bool]",
    },
    total=False,
)

Property = t.TypedDict(
    "Property",
    {
        "object": "t.Literal['property']",
        "id": "str",
        "key": "str",
        "type": "t.Literal['string', 'number', 'date']",
        "fallback_value": "t.Optional[str]",
        "created_at": "str",
        "updated_at": "str",
    },
)

PropertyList = t.TypedDict(
    "PropertyList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[Property]",
    },
)

Queue = t.TypedDict(
    "Queue",
    {
        "object": "t.Literal['queue']",
        "as_of": "str",
        "ready": "int",
        "leased": "int",
        "delayed": "int",
        "scheduled": "int",
        "counted_up_to": "int",
        "oldest_ready_seconds": "int",
        "next_due_at": "t.Optional[str]",
        "by_team": "t.List[QueueByTeam]",
        "by_destination": "t.List[QueueByDestination]",
        "by_site": "t.List[QueueBySite]",
    },
)

QueueByDestination = t.TypedDict(
    "QueueByDestination",
    {
        "domain": "str",
        "ready": "int",
        "waiting": "int",
        "oldest_ready_at": "t.Optional[str]",
    },
)

QueueBySite = t.TypedDict(
    "QueueBySite",
    {
        "name": "str",
        "waiting": "int",
        "paused_until": "str",
        "reason": "str",
    },
)

QueueByTeam = t.TypedDict(
    "QueueByTeam",
    {
        "team_id": "str",
        "name": "t.Optional[str]",
        "ready": "int",
        "waiting": "int",
        "oldest_ready_at": "t.Optional[str]",
    },
)

RemoveSuppressionsRequest = t.TypedDict(
    "RemoveSuppressionsRequest",
    {
        "emails": "t.Optional[t.List[str]]",
        "ids": "t.Optional[t.List[str]]",
    },
    total=False,
)

_ReplayWebhookEventsRequest = t.TypedDict(
    "_ReplayWebhookEventsRequest",
    {
        "since": "str",
    },
)


_ReplayWebhookEventsRequestOptional = t.TypedDict(
    "_ReplayWebhookEventsRequestOptional",
    {
        "until": "t.Optional[str]",
        "types": "t.Optional[t.List[str]]",
        "only_failed": "t.Optional[bool]",
        "cursor": "t.Optional[str]",
    },
    total=False,
)


class ReplayWebhookEventsRequest(_ReplayWebhookEventsRequest, _ReplayWebhookEventsRequestOptional):
    pass


ReportedEvent = t.TypedDict(
    "ReportedEvent",
    {
        "object": "t.Literal['event']",
        "event": "str",
    },
)

RescheduleEmailRequest = t.TypedDict(
    "RescheduleEmailRequest",
    {
        "scheduled_at": "t.Union[str, datetime, None]",
    },
)

ResendEmailRequest = t.TypedDict(
    "ResendEmailRequest",
    {
        "to": "t.Optional[t.Union[str, t.List[str]]]",
        "cc": "t.Optional[t.Union[str, t.List[str]]]",
        "bcc": "t.Optional[t.Union[str, t.List[str]]]",
    },
    total=False,
)

ResumeSiteResponse = t.TypedDict(
    "ResumeSiteResponse",
    {
        "object": "t.Literal['site']",
        "name": "str",
        "resumed": "t.Literal[True]",
    },
)

Retention = t.TypedDict(
    "Retention",
    {
        "content": "str",
        "attempts": "str",
        "events": "str",
        "webhook_deliveries": "str",
        "object": "t.Literal['retention']",
        "emails": "str",
        "limits": "RetentionPeriods",
    },
)

RetentionPeriods = t.TypedDict(
    "RetentionPeriods",
    {
        "content": "str",
        "attempts": "str",
        "events": "str",
        "webhook_deliveries": "str",
    },
)

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

Segment = t.TypedDict(
    "Segment",
    {
        "object": "t.Literal['segment']",
        "id": "str",
        "name": "str",
        "match_type": "t.Literal['all', 'any']",
        "filters": "SegmentFilters",
        "created_at": "str",
        "updated_at": "str",
    },
)

_SegmentConditionInput = t.TypedDict(
    "_SegmentConditionInput",
    {
        "field": "t.Literal['email', 'first_name', 'last_name', 'user_id', 'time_zone', 'unsubscribed', 'created_at', 'list', 'property']",
        "operator": "t.Literal['equals', 'not_equals', 'contains', 'not_contains', 'starts_with', 'ends_with', 'is_set', 'is_not_set', 'is', 'is_not', 'does_not_contain', 'exists', 'not_exists', 'greater_than', 'greater_than_or_equals', 'less_than', 'less_than_or_equals', 'greater_than_or_equal', 'less_than_or_equal', 'before', 'on_or_before', 'on', 'not_on', 'on_or_after', 'after', 'older_than', 'within_last', 'within_next', 'in', 'not_in']",
    },
)


_SegmentConditionInputOptional = t.TypedDict(
    "_SegmentConditionInputOptional",
    {
        "type": "t.Optional[t.Literal['string', 'number', 'date', 'boolean', 'list']]",
        "value": "t.Optional[t.Union[str, float, bool]]",
        "property_id": "t.Optional[str]",
    },
    total=False,
)


class SegmentConditionInput(_SegmentConditionInput, _SegmentConditionInputOptional):
    pass


SegmentCount = t.TypedDict(
    "SegmentCount",
    {
        "object": "t.Literal['segment_count']",
        "count": "int",
        "is_exact": "bool",
        "contacts": "t.List[Contact]",
    },
)

SegmentFilters = t.TypedDict(
    "SegmentFilters",
    {
        "groups": "t.List[SegmentFiltersGroup]",
    },
)

SegmentFiltersGroup = t.TypedDict(
    "SegmentFiltersGroup",
    {
        "match_type": "t.Literal['all', 'any']",
        "conditions": "t.List[SegmentFiltersGroupCondition]",
    },
)

SegmentFiltersGroupCondition = t.TypedDict(
    "SegmentFiltersGroupCondition",
    {
        "field": "t.Literal['email', 'first_name', 'last_name', 'user_id', 'time_zone', 'unsubscribed', 'created_at', 'list', 'property']",
        "type": "t.Literal['string', 'number', 'date', 'boolean', 'list']",
        "operator": "str",
        "value": "t.Optional[t.Union[str, float, bool]]",
        "property_id": "t.Optional[str]",
    },
)

SegmentFiltersInput = t.TypedDict(
    "SegmentFiltersInput",
    {
        "groups": "t.Optional[t.List[SegmentFiltersInputGroup]]",
    },
    total=False,
)

_SegmentFiltersInputGroup = t.TypedDict(
    "_SegmentFiltersInputGroup",
    {
        "conditions": "t.List[SegmentConditionInput]",
    },
)


_SegmentFiltersInputGroupOptional = t.TypedDict(
    "_SegmentFiltersInputGroupOptional",
    {
        "match_type": "t.Optional[t.Literal['all', 'any']]",
    },
    total=False,
)


class SegmentFiltersInputGroup(_SegmentFiltersInputGroup, _SegmentFiltersInputGroupOptional):
    pass


SegmentList = t.TypedDict(
    "SegmentList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[Segment]",
    },
)

SegmentMembership = t.TypedDict(
    "SegmentMembership",
    {
        "object": "t.Literal['contact_segment']",
        "id": "str",
    },
)

SendBroadcastRequest = t.TypedDict(
    "SendBroadcastRequest",
    {
        "scheduled_at": "t.Union[str, datetime, None]",
    },
    total=False,
)

SendCampaignRequest = t.TypedDict(
    "SendCampaignRequest",
    {
        "scheduled_at": "t.Union[str, datetime, None]",
    },
    total=False,
)

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
        "template": "SendEmailRequestTemplate",
        "class": "t.Optional[t.Literal['transactional', 'bulk']]",
        "unsubscribe": "SendEmailRequestUnsubscribe",
    },
    total=False,
)

_SendEmailRequestTag = t.TypedDict(
    "_SendEmailRequestTag",
    {
        "name": "str",
    },
)


_SendEmailRequestTagOptional = t.TypedDict(
    "_SendEmailRequestTagOptional",
    {
        "value": "t.Optional[str]",
    },
    total=False,
)


class SendEmailRequestTag(_SendEmailRequestTag, _SendEmailRequestTagOptional):
    pass


_SendEmailRequestTemplate = t.TypedDict(
    "_SendEmailRequestTemplate",
    {
        "id": "str",
    },
)


_SendEmailRequestTemplateOptional = t.TypedDict(
    "_SendEmailRequestTemplateOptional",
    {
        "variables": "t.Optional[t.Dict[str, t.Union[str, float]]]",
    },
    total=False,
)


class SendEmailRequestTemplate(_SendEmailRequestTemplate, _SendEmailRequestTemplateOptional):
    pass


SendEmailRequestUnsubscribe = t.TypedDict(
    "SendEmailRequestUnsubscribe",
    {
        "list_id": "t.Optional[str]",
        "topic": "t.Optional[str]",
    },
    total=False,
)

_SendEventRequest = t.TypedDict(
    "_SendEventRequest",
    {
        "event": "str",
    },
)


_SendEventRequestOptional = t.TypedDict(
    "_SendEventRequestOptional",
    {
        "contact_id": "t.Optional[str]",
        "email": "t.Optional[str]",
        "payload": "t.Optional[t.Dict[str, t.Any]]",
        "occurred_at": "t.Optional[str]",
    },
    total=False,
)


class SendEventRequest(_SendEventRequest, _SendEventRequestOptional):
    pass


_SendMimeEmailRequest = t.TypedDict(
    "_SendMimeEmailRequest",
    {
        "envelope_from": "str",
        "envelope_to": "str",
        "raw_message": "str",
    },
)


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


_SendWindowOptional = t.TypedDict(
    "_SendWindowOptional",
    {
        "days": "t.Optional[t.List[int]]",
        "by_contact": "t.Optional[bool]",
    },
    total=False,
)


class SendWindow(_SendWindow, _SendWindowOptional):
    pass


Sender = t.TypedDict(
    "Sender",
    {
        "object": "t.Literal['sender']",
        "id": "str",
        "domain_id": "str",
        "name": "str",
        "username": "str",
        "email": "str",
        "reply_to": "str",
        "created_at": "str",
        "updated_at": "str",
    },
)

SenderList = t.TypedDict(
    "SenderList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[Sender]",
    },
)

SentInvitation = t.TypedDict(
    "SentInvitation",
    {
        "object": "t.Literal['invitation']",
        "id": "str",
        "email": "str",
        "role": "t.Literal['owner', 'admin', 'member', 'viewer']",
        "status": "t.Literal['pending', 'expired']",
        "expires_at": "str",
        "created_at": "str",
        "emailed": "bool",
        "printed": "bool",
        "link": "str",
    },
)

ServerChecks = t.TypedDict(
    "ServerChecks",
    {
        "object": "t.Literal['server_checks']",
        "state": "t.Literal['never', 'running', 'interrupted', 'done']",
        "delivery": "t.Literal['capture', 'direct', 'relay']",
        "hostname": "str",
        "started_at": "t.Optional[str]",
        "checked_at": "t.Optional[str]",
        "next_at": "t.Optional[str]",
        "findings": "t.List[ServerChecksFinding]",
    },
)

ServerChecksFinding = t.TypedDict(
    "ServerChecksFinding",
    {
        "step": "t.Literal['hostname', 'public_url', 'reverse_dns', 'spf', 'outbound_port', 'bounce_host', 'inbound_port']",
        "check": "str",
        "level": "t.Literal['ok', 'note', 'warning', 'problem']",
        "found": "str",
        "advice": "t.Optional[str]",
        "record": "t.Optional[AdvisedRecord]",
    },
)

Shaping = t.TypedDict(
    "Shaping",
    {
        "object": "t.Literal['shaping']",
        "file": "t.Optional[str]",
        "loaded_at": "t.Optional[str]",
        "failure": "ShapingFailure",
        "probes_seconds": "t.List[float]",
        "rules": "t.List[ShapingRule]",
    },
)

ShapingFailure = t.TypedDict(
    "ShapingFailure",
    {
        "at": "str",
        "message": "str",
    },
)

ShapingRule = t.TypedDict(
    "ShapingRule",
    {
        "name": "str",
        "source": "t.Literal['built_in', 'file']",
        "match": "ShapingRuleMatch",
        "connections_max": "t.Optional[int]",
        "connections_start": "t.Optional[int]",
        "messages_per_connection": "t.Optional[int]",
        "rate": "t.Optional[str]",
        "replies": "t.List[ShapingRuleReplie]",
    },
)

ShapingRuleMatch = t.TypedDict(
    "ShapingRuleMatch",
    {
        "mx": "t.Optional[t.List[str]]",
        "domain": "t.Optional[t.List[str]]",
    },
)

ShapingRuleReplie = t.TypedDict(
    "ShapingRuleReplie",
    {
        "pattern": "str",
        "stage": "t.Optional[str]",
        "code": "t.Optional[int]",
        "action": "t.Literal['slow_down', 'pause', 'stop']",
        "for_seconds": "t.Optional[float]",
    },
)

ShareEmailRequest = t.TypedDict(
    "ShareEmailRequest",
    {
        "expires_in": "t.Optional[str]",
    },
    total=False,
)

SharedEmail = t.TypedDict(
    "SharedEmail",
    {
        "object": "t.Literal['email']",
        "id": "str",
        "url": "str",
        "expires_at": "str",
    },
)

Site = t.TypedDict(
    "Site",
    {
        "object": "t.Literal['site']",
        "name": "str",
        "site": "str",
        "source": "str",
        "tls": "str",
        "relay": "bool",
        "state": "t.Literal['open', 'paused', 'probing', 'stopped']",
        "reason": "t.Optional[str]",
        "category": "t.Optional[str]",
        "failures": "int",
        "paused_until": "t.Optional[str]",
        "connections": "int",
        "connections_limit": "int",
        "connections_max": "int",
        "messages_per_connection": "int",
        "rate": "t.Optional[str]",
        "waiting": "int",
        "rules": "str",
        "processes": "int",
    },
)

StartAutomationRunRequest = t.TypedDict(
    "StartAutomationRunRequest",
    {
        "contact_id": "t.Optional[str]",
        "email": "t.Optional[str]",
        "payload": "t.Optional[t.Dict[str, t.Any]]",
    },
    total=False,
)

Summary = t.TypedDict(
    "Summary",
    {
        "object": "t.Literal['summary']",
        "interval": "t.Literal['hour', 'day']",
        "time_zone": "str",
        "start_date": "str",
        "end_date": "str",
        "as_of": "t.Optional[str]",
        "outcomes": "EmailOutcomes",
        "series": "t.List[SummarySerie]",
        "before": "SummaryBefore",
        "time_to_deliver_ms": "DeliveryTimes",
        "waiting": "SummaryWaiting",
        "usage": "SummaryUsage",
        "alerts": "t.List[Alert]",
    },
)

SummaryBefore = t.TypedDict(
    "SummaryBefore",
    {
        "start_date": "str",
        "end_date": "str",
        "outcomes": "EmailOutcomes",
        "compared": "EmailOutcomes",
    },
)

SummarySerie = t.TypedDict(
    "SummarySerie",
    {
        "at": "str",
        "outcomes": "EmailOutcomes",
    },
)

SummaryUsage = t.TypedDict(
    "SummaryUsage",
    {
        "month": "UsagePeriod",
        "day": "UsagePeriod",
    },
)

SummaryWaiting = t.TypedDict(
    "SummaryWaiting",
    {
        "queued": "int",
        "delivery_delayed": "int",
        "scheduled": "int",
        "longest_deferred": "SummaryWaitingLongestDeferred",
    },
)

SummaryWaitingLongestDeferred = t.TypedDict(
    "SummaryWaitingLongestDeferred",
    {
        "id": "str",
        "created_at": "str",
    },
)

SuppressAddressRequest = t.TypedDict(
    "SuppressAddressRequest",
    {
        "email": "str",
    },
)

SuppressAddressesRequest = t.TypedDict(
    "SuppressAddressesRequest",
    {
        "emails": "t.List[str]",
    },
)

Suppression = t.TypedDict(
    "Suppression",
    {
        "object": "t.Literal['suppression']",
        "id": "str",
        "email": "str",
        "reason": "t.Optional[t.Literal['manual', 'bounce', 'complaint']]",
        "origin": "t.Optional[t.Literal['manual', 'bounce', 'complaint']]",
        "source_email_id": "t.Optional[str]",
        "source_id": "t.Optional[str]",
        "created_at": "str",
        "updated_at": "str",
    },
)

SuppressionAddedEvent = t.TypedDict(
    "SuppressionAddedEvent",
    {
        "type": "t.Literal['suppression.added']",
        "created_at": "str",
        "data": "SuppressionEventData",
    },
)

_SuppressionEventData = t.TypedDict(
    "_SuppressionEventData",
    {
        "id": "str",
        "email": "str",
        "reason": "t.Optional[str]",
    },
)


_SuppressionEventDataOptional = t.TypedDict(
    "_SuppressionEventDataOptional",
    {
        "source_email_id": "t.Optional[str]",
    },
    total=False,
)


class SuppressionEventData(_SuppressionEventData, _SuppressionEventDataOptional):
    pass


SuppressionList = t.TypedDict(
    "SuppressionList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[Suppression]",
    },
)

SuppressionRemovedEvent = t.TypedDict(
    "SuppressionRemovedEvent",
    {
        "type": "t.Literal['suppression.removed']",
        "created_at": "str",
        "data": "SuppressionEventData",
    },
)

SuppressionsAdded = t.TypedDict(
    "SuppressionsAdded",
    {
        "object": "t.Literal['list']",
        "data": "t.List[Suppression]",
    },
)

SuppressionsRemoved = t.TypedDict(
    "SuppressionsRemoved",
    {
        "object": "t.Literal['list']",
        "data": "t.List[SuppressionsRemovedData]",
    },
)

SuppressionsRemovedData = t.TypedDict(
    "SuppressionsRemovedData",
    {
        "object": "t.Literal['suppression']",
        "id": "str",
        "email": "str",
        "deleted": "t.Literal[True]",
    },
)

TeamEventData = t.TypedDict(
    "TeamEventData",
    {
        "id": "str",
        "name": "str",
        "by": "str",
        "reason": "t.Optional[str]",
    },
)

TeamPausedEvent = t.TypedDict(
    "TeamPausedEvent",
    {
        "type": "t.Literal['team.paused']",
        "created_at": "str",
        "data": "TeamEventData",
    },
)

TeamResumedEvent = t.TypedDict(
    "TeamResumedEvent",
    {
        "type": "t.Literal['team.resumed']",
        "created_at": "str",
        "data": "TeamEventData",
    },
)

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

TemplateDraft = t.TypedDict(
    "TemplateDraft",
    {
        "object": "t.Literal['template_draft']",
        "template_id": "str",
        "revision": "int",
        "base_version": "int",
        "is_outdated": "bool",
        "subject": "str",
        "html_content": "str",
        "text_content": "str",
        "reply_to": "str",
        "variables": "t.List[TemplateVariable]",
        "warnings": "t.List[TemplateWarning]",
        "sender": "Sender",
        "updated_by": "TemplateDraftUpdatedBy",
        "created_at": "str",
        "updated_at": "str",
    },
)

TemplateDraftUpdatedBy = t.TypedDict(
    "TemplateDraftUpdatedBy",
    {
        "type": "t.Literal['key', 'user']",
        "id": "str",
        "name": "t.Optional[str]",
    },
)

TemplateFolder = t.TypedDict(
    "TemplateFolder",
    {
        "object": "t.Literal['template_folder']",
        "id": "str",
        "name": "str",
        "created_at": "str",
        "updated_at": "str",
    },
)

TemplateFolderList = t.TypedDict(
    "TemplateFolderList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[TemplateFolder]",
    },
)

TemplatePreview = t.TypedDict(
    "TemplatePreview",
    {
        "object": "t.Literal['template_preview']",
        "template_id": "t.Optional[str]",
        "subject": "str",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "missing": "t.List[str]",
        "warnings": "t.List[TemplateWarning]",
    },
)

TemplateRef = t.TypedDict(
    "TemplateRef",
    {
        "id": "str",
        "name": "str",
    },
)

TemplateSummary = t.TypedDict(
    "TemplateSummary",
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
    },
)

TemplateSummaryList = t.TypedDict(
    "TemplateSummaryList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[TemplateSummary]",
    },
)

TemplateVariable = t.TypedDict(
    "TemplateVariable",
    {
        "key": "str",
        "type": "t.Literal['string', 'number']",
        "fallback_value": "t.Optional[str]",
    },
)

_TemplateVariableInput = t.TypedDict(
    "_TemplateVariableInput",
    {
        "key": "str",
    },
)


_TemplateVariableInputOptional = t.TypedDict(
    "_TemplateVariableInputOptional",
    {
        "type": "t.Optional[t.Literal['string', 'number']]",
        "fallback_value": "t.Optional[t.Union[str, float]]",
    },
    total=False,
)


class TemplateVariableInput(_TemplateVariableInput, _TemplateVariableInputOptional):
    pass


TemplateVersion = t.TypedDict(
    "TemplateVersion",
    {
        "object": "t.Literal['template_version']",
        "id": "str",
        "template_id": "str",
        "version": "int",
        "is_current": "bool",
        "subject": "str",
        "created_by": "TemplateVersionCreatedBy",
        "created_at": "str",
        "html_content": "str",
        "text_content": "str",
        "reply_to": "str",
        "variables": "t.List[TemplateVariable]",
        "sender": "t.Optional[Sender]",
    },
)

TemplateVersionCreatedBy = t.TypedDict(
    "TemplateVersionCreatedBy",
    {
        "type": "t.Literal['key', 'user']",
        "id": "str",
        "name": "t.Optional[str]",
    },
)

TemplateVersionSummary = t.TypedDict(
    "TemplateVersionSummary",
    {
        "object": "t.Literal['template_version']",
        "id": "str",
        "template_id": "str",
        "version": "int",
        "is_current": "bool",
        "subject": "str",
        "created_by": "TemplateVersionSummaryCreatedBy",
        "created_at": "str",
    },
)

TemplateVersionSummaryCreatedBy = t.TypedDict(
    "TemplateVersionSummaryCreatedBy",
    {
        "type": "t.Literal['key', 'user']",
        "id": "str",
        "name": "t.Optional[str]",
    },
)

TemplateVersionSummaryList = t.TypedDict(
    "TemplateVersionSummaryList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[TemplateVersionSummary]",
    },
)

TemplateWarning = t.TypedDict(
    "TemplateWarning",
    {
        "part": "t.Literal['subject', 'html', 'text']",
        "line": "int",
        "column": "int",
        "message": "str",
    },
)

TestCampaignRequest = t.TypedDict(
    "TestCampaignRequest",
    {
        "to": "t.List[str]",
    },
)

TestWebhookRequest = t.TypedDict(
    "TestWebhookRequest",
    {
        "type": "t.Optional[str]",
    },
    total=False,
)

Unsubscription = t.TypedDict(
    "Unsubscription",
    {
        "object": "t.Literal['unsubscription']",
        "id": "str",
        "email": "str",
        "list_id": "t.Optional[str]",
        "topic": "t.Optional[str]",
        "source": "str",
        "email_id": "t.Optional[str]",
        "created_at": "str",
    },
)

UnsubscriptionList = t.TypedDict(
    "UnsubscriptionList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[Unsubscription]",
    },
)

UpdateApiKeyRequest = t.TypedDict(
    "UpdateApiKeyRequest",
    {
        "name": "t.Optional[str]",
        "permission": "t.Optional[t.Literal['full', 'send', 'full_access', 'sending_access']]",
        "domain_id": "t.Optional[str]",
        "expires_at": "t.Optional[str]",
    },
    total=False,
)

UpdateAutomationRequest = t.TypedDict(
    "UpdateAutomationRequest",
    {
        "name": "t.Optional[str]",
        "status": "t.Optional[t.Literal['draft', 'active', 'paused', 'enabled', 'disabled']]",
        "trigger": "t.Optional[AutomationTrigger]",
        "steps": "t.Optional[t.List[AutomationStepInput]]",
        "connections": "t.Optional[t.List[AutomationConnection]]",
        "settings": "t.Optional[AutomationSettings]",
    },
    total=False,
)

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

UpdateCampaignRequest = t.TypedDict(
    "UpdateCampaignRequest",
    {
        "name": "t.Optional[str]",
        "sender_id": "t.Optional[str]",
        "template_id": "t.Optional[str]",
        "subject": "t.Optional[str]",
        "preview_text": "t.Optional[str]",
        "reply_to": "t.Optional[str]",
        "html": "t.Optional[str]",
        "text": "t.Optional[str]",
        "segment_id": "t.Optional[str]",
        "list_id": "t.Optional[str]",
        "audience": "t.Optional[AudienceInput]",
        "status": "t.Optional[t.Literal['draft', 'scheduled', 'sending', 'paused', 'canceled']]",
        "scheduled_at": "t.Union[str, datetime, None]",
        "rate_per_hour": "t.Optional[int]",
        "send_window": "t.Optional[SendWindow]",
    },
    total=False,
)

UpdateContactRequest = t.TypedDict(
    "UpdateContactRequest",
    {
        "email": "t.Optional[str]",
        "first_name": "t.Optional[str]",
        "last_name": "t.Optional[str]",
        "user_id": "t.Optional[str]",
        "time_zone": "t.Optional[str]",
        "unsubscribed": "t.Optional[bool]",
        "list_ids": "t.Optional[t.List[str]]",
        "properties": "t.Optional[t.Dict[str, t.Optional[t.Union[str, float]]]]",
    },
    total=False,
)

UpdateDomainRequest = t.TypedDict(
    "UpdateDomainRequest",
    {
        "open_tracking": "t.Optional[bool]",
        "click_tracking": "t.Optional[bool]",
        "tls": "t.Optional[t.Literal['opportunistic', 'enforced']]",
        "dkim_ed25519": "t.Optional[bool]",
    },
    total=False,
)

UpdateEventDefinitionRequest = t.TypedDict(
    "UpdateEventDefinitionRequest",
    {
        "schema": "t.Optional[t.Dict[str, t.Literal['string', 'number', 'boolean', 'date']]]",
    },
)

UpdateListRequest = t.TypedDict(
    "UpdateListRequest",
    {
        "name": "t.Optional[str]",
    },
    total=False,
)

UpdateOperatorTeamRequest = t.TypedDict(
    "UpdateOperatorTeamRequest",
    {
        "name": "t.Optional[str]",
        "plan": "t.Optional[t.Literal['free', '10k', '25k', '50k', '75k', '100k', '150k', '250k', '500k', '750k', '1m', '2m', '5m', 'unlimited']]",
    },
    total=False,
)

UpdatePropertyRequest = t.TypedDict(
    "UpdatePropertyRequest",
    {
        "key": "t.Optional[str]",
        "type": "t.Optional[t.Literal['string', 'number', 'date']]",
        "fallback_value": "t.Optional[str]",
    },
    total=False,
)

UpdateRetentionRequest = t.TypedDict(
    "UpdateRetentionRequest",
    {
        "content": "t.Union[str, bytes, t.Dict[str, t.Any], None]",
        "attempts": "t.Optional[str]",
        "events": "t.Optional[str]",
        "webhook_deliveries": "t.Optional[str]",
    },
    total=False,
)

UpdateSegmentRequest = t.TypedDict(
    "UpdateSegmentRequest",
    {
        "name": "t.Optional[str]",
        "match_type": "t.Optional[t.Literal['all', 'any']]",
        "filters": "t.Optional[SegmentFiltersInput]",
    },
    total=False,
)

UpdateSenderRequest = t.TypedDict(
    "UpdateSenderRequest",
    {
        "name": "t.Optional[str]",
        "username": "t.Optional[str]",
        "domain_id": "t.Optional[str]",
        "reply_to": "t.Optional[str]",
    },
    total=False,
)

UpdateSuppressionRequest = t.TypedDict(
    "UpdateSuppressionRequest",
    {
        "reason": "t.Optional[t.Literal['manual', 'bounce', 'complaint']]",
    },
    total=False,
)

UpdateTemplateFolderRequest = t.TypedDict(
    "UpdateTemplateFolderRequest",
    {
        "name": "t.Optional[str]",
    },
    total=False,
)

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

UpdateWebhookRequest = t.TypedDict(
    "UpdateWebhookRequest",
    {
        "endpoint": "t.Optional[str]",
        "url": "t.Optional[str]",
        "events": "t.Optional[t.List[str]]",
        "description": "t.Optional[str]",
        "status": "t.Optional[t.Literal['enabled', 'disabled']]",
    },
    total=False,
)

Usage = t.TypedDict(
    "Usage",
    {
        "object": "t.Literal['usage']",
        "plan": "t.Literal['free', '10k', '25k', '50k', '75k', '100k', '150k', '250k', '500k', '750k', '1m', '2m', '5m', 'unlimited']",
        "sending_paused": "bool",
        "sending_paused_at": "t.Optional[str]",
        "sending_paused_by": "t.Optional[t.Literal['operator', 'reputation']]",
        "sending_paused_reason": "t.Optional[str]",
        "requests_per_minute": "int",
        "rate_limit": "UsageRateLimit",
        "emails_this_month": "int",
        "month": "UsagePeriod",
        "day": "UsagePeriod",
        "months": "t.List[UsageMonth]",
    },
)

UsageMonth = t.TypedDict(
    "UsageMonth",
    {
        "month": "str",
        "recipients": "int",
        "emails": "int",
    },
)

UsagePeriod = t.TypedDict(
    "UsagePeriod",
    {
        "used": "int",
        "limit": "t.Optional[int]",
        "remaining": "t.Optional[int]",
        "resets_at": "str",
    },
)

UsageRateLimit = t.TypedDict(
    "UsageRateLimit",
    {
        "limit": "int",
        "used": "int",
        "remaining": "int",
        "resets_at": "t.Optional[str]",
    },
)

ValidateAddressRequest = t.TypedDict(
    "ValidateAddressRequest",
    {
        "email": "str",
    },
)

Webhook = t.TypedDict(
    "Webhook",
    {
        "object": "t.Literal['webhook']",
        "id": "str",
        "endpoint": "str",
        "url": "str",
        "events": "t.Optional[t.List[str]]",
        "description": "t.Optional[str]",
        "status": "t.Literal['enabled', 'disabled']",
        "disabled_reason": "t.Optional[str]",
        "disabled_at": "t.Optional[str]",
        "failing_since": "t.Optional[str]",
        "previous_secret_until": "t.Optional[str]",
        "created_at": "str",
        "updated_at": "str",
    },
)

WebhookDelivery = t.TypedDict(
    "WebhookDelivery",
    {
        "object": "t.Literal['webhook_delivery']",
        "id": "str",
        "webhook_id": "str",
        "event_id": "t.Optional[str]",
        "type": "str",
        "status": "t.Literal['waiting', 'delivered', 'failed']",
        "attempt_count": "int",
        "response_status": "t.Optional[int]",
        "latency_ms": "t.Optional[int]",
        "next_attempt_at": "t.Optional[str]",
        "replayed_as": "t.Optional[str]",
        "created_at": "str",
        "updated_at": "str",
        "request": "WebhookDeliveryRequest",
        "response": "WebhookDeliveryResponse",
        "attempts": "t.List[WebhookDeliveryAttempt]",
    },
)

WebhookDeliveryAttempt = t.TypedDict(
    "WebhookDeliveryAttempt",
    {
        "at": "str",
        "status": "t.Optional[int]",
        "latency_ms": "int",
        "error": "t.Optional[str]",
    },
)

WebhookDeliveryRequest = t.TypedDict(
    "WebhookDeliveryRequest",
    {
        "method": "t.Literal['POST']",
        "url": "str",
        "headers": "WebhookDeliveryRequestHeaders",
        "body": "t.Optional[str]",
    },
)

WebhookDeliveryRequestHeaders = t.TypedDict(
    "WebhookDeliveryRequestHeaders",
    {
        "content-type": "str",
        "webhook-id": "str",
    },
)

WebhookDeliveryResponse = t.TypedDict(
    "WebhookDeliveryResponse",
    {
        "status": "t.Optional[int]",
        "body": "t.Optional[str]",
    },
)

WebhookDeliverySummary = t.TypedDict(
    "WebhookDeliverySummary",
    {
        "object": "t.Literal['webhook_delivery']",
        "id": "str",
        "webhook_id": "str",
        "event_id": "t.Optional[str]",
        "type": "str",
        "status": "t.Literal['waiting', 'delivered', 'failed']",
        "attempt_count": "int",
        "response_status": "t.Optional[int]",
        "latency_ms": "t.Optional[int]",
        "next_attempt_at": "t.Optional[str]",
        "replayed_as": "t.Optional[str]",
        "created_at": "str",
        "updated_at": "str",
    },
)

WebhookDeliverySummaryList = t.TypedDict(
    "WebhookDeliverySummaryList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[WebhookDeliverySummary]",
    },
)

WebhookDisabledEvent = t.TypedDict(
    "WebhookDisabledEvent",
    {
        "type": "t.Literal['webhook.disabled']",
        "created_at": "str",
        "data": "WebhookEventData",
    },
)

WebhookEventData = t.TypedDict(
    "WebhookEventData",
    {
        "id": "str",
        "endpoint": "str",
        "reason": "str",
    },
)

WebhookList = t.TypedDict(
    "WebhookList",
    {
        "object": "t.Literal['list']",
        "has_more": "bool",
        "links": "PageLinks",
        "meta": "PageMeta",
        "data": "t.List[Webhook]",
    },
)

WebhookReplay = t.TypedDict(
    "WebhookReplay",
    {
        "object": "t.Literal['webhook_replay']",
        "webhook_id": "str",
        "count": "int",
        "has_more": "bool",
        "cursor": "t.Optional[str]",
    },
)

WebhookWithSecret = t.TypedDict(
    "WebhookWithSecret",
    {
        "object": "t.Literal['webhook']",
        "id": "str",
        "endpoint": "str",
        "url": "str",
        "events": "t.Optional[t.List[str]]",
        "description": "t.Optional[str]",
        "status": "t.Literal['enabled', 'disabled']",
        "disabled_reason": "t.Optional[str]",
        "disabled_at": "t.Optional[str]",
        "failing_since": "t.Optional[str]",
        "previous_secret_until": "t.Optional[str]",
        "created_at": "str",
        "updated_at": "str",
        "signing_secret": "t.Optional[str]",
    },
)
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
