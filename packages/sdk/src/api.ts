/* Types of the OpenAPI document. `npm test -- packages/sdk/test/document.test.ts -u` writes this file. */

export interface paths {
    "/emails": {
        get: operations["listEmails"];
        post: operations["sendEmail"];
    };
    "/emails/{id}": {
        get: operations["getEmail"];
        patch: operations["rescheduleEmail"];
    };
    "/emails/{id}/raw": {
        get: operations["getRawEmail"];
    };
    "/emails/{id}/attempts": {
        get: operations["listAttempts"];
    };
    "/emails/{id}/cancel": {
        post: operations["cancelEmail"];
    };
    "/emails/{id}/resend": {
        post: operations["resendEmail"];
    };
    "/emails/{id}/attachments": {
        get: operations["listAttachments"];
    };
    "/emails/{id}/attachments/{index}": {
        get: operations["getAttachment"];
    };
    "/emails/{id}/share": {
        post: operations["shareEmail"];
    };
    "/emails/mime": {
        post: operations["sendMimeEmail"];
    };
    "/emails/batch": {
        post: operations["sendBatch"];
    };
    "/emails/validate": {
        post: operations["validateAddress"];
    };
    "/templates": {
        get: operations["listTemplates"];
        post: operations["createTemplate"];
    };
    "/templates/{id}": {
        get: operations["getTemplate"];
        delete: operations["deleteTemplate"];
        patch: operations["updateTemplate"];
    };
    "/templates/{id}/duplicate": {
        post: operations["duplicateTemplate"];
    };
    "/templates/{id}/publish": {
        post: operations["publishTemplate"];
    };
    "/templates/{id}/draft": {
        get: operations["getTemplateDraft"];
        delete: operations["discardTemplateDraft"];
        patch: operations["saveTemplateDraft"];
    };
    "/templates/{id}/versions": {
        get: operations["listTemplateVersions"];
    };
    "/templates/{id}/versions/{version}": {
        get: operations["getTemplateVersion"];
    };
    "/templates/{id}/versions/{version}/restore": {
        post: operations["restoreTemplateVersion"];
    };
    "/templates/{id}/preview": {
        post: operations["previewTemplate"];
    };
    "/templates/preview": {
        post: operations["previewContent"];
    };
    "/template-folders": {
        get: operations["listTemplateFolders"];
        post: operations["createTemplateFolder"];
    };
    "/template-folders/{id}": {
        get: operations["getTemplateFolder"];
        delete: operations["deleteTemplateFolder"];
        patch: operations["updateTemplateFolder"];
    };
    "/domains": {
        get: operations["listDomains"];
        post: operations["createDomain"];
    };
    "/domains/{id}": {
        get: operations["getDomain"];
        delete: operations["deleteDomain"];
        patch: operations["updateDomain"];
    };
    "/domains/{id}/records": {
        get: operations["exportDomainRecords"];
    };
    "/domains/{id}/verify": {
        post: operations["verifyDomain"];
    };
    "/domains/{id}/provider": {
        get: operations["getDomainProvider"];
    };
    "/senders": {
        get: operations["listSenders"];
        post: operations["createSender"];
    };
    "/senders/{id}": {
        get: operations["getSender"];
        delete: operations["deleteSender"];
        patch: operations["updateSender"];
    };
    "/segments": {
        get: operations["listSegments"];
        post: operations["createSegment"];
    };
    "/segments/{id}": {
        get: operations["getSegment"];
        delete: operations["deleteSegment"];
        patch: operations["updateSegment"];
    };
    "/segments/count": {
        post: operations["countSegmentContacts"];
    };
    "/segments/{id}/contacts": {
        get: operations["listSegmentContacts"];
    };
    "/campaigns": {
        get: operations["listCampaigns"];
        post: operations["createCampaign"];
    };
    "/campaigns/{id}": {
        get: operations["getCampaign"];
        delete: operations["deleteCampaign"];
        patch: operations["updateCampaign"];
    };
    "/campaigns/{id}/metrics": {
        get: operations["getCampaignMetrics"];
    };
    "/broadcasts": {
        get: operations["listBroadcasts"];
        post: operations["createBroadcast"];
    };
    "/broadcasts/{id}": {
        get: operations["getBroadcast"];
        delete: operations["deleteBroadcast"];
        patch: operations["updateBroadcast"];
    };
    "/broadcasts/{id}/send": {
        post: operations["sendBroadcast"];
    };
    "/broadcasts/{id}/cancel": {
        post: operations["cancelBroadcast"];
    };
    "/broadcasts/{id}/duplicate": {
        post: operations["duplicateBroadcast"];
    };
    "/broadcasts/{id}/recipients": {
        get: operations["listBroadcastRecipients"];
    };
    "/broadcasts/{id}/clicked-links": {
        get: operations["listBroadcastClickedLinks"];
    };
    "/campaigns/{id}/send": {
        post: operations["sendCampaign"];
    };
    "/campaigns/{id}/pause": {
        post: operations["pauseCampaign"];
    };
    "/campaigns/{id}/resume": {
        post: operations["resumeCampaign"];
    };
    "/campaigns/{id}/cancel": {
        post: operations["cancelCampaign"];
    };
    "/campaigns/{id}/duplicate": {
        post: operations["duplicateCampaign"];
    };
    "/campaigns/{id}/retry": {
        post: operations["retryCampaign"];
    };
    "/campaigns/{id}/recipients": {
        get: operations["listCampaignRecipients"];
    };
    "/campaigns/{id}/recipients/export": {
        get: operations["exportCampaignRecipients"];
    };
    "/campaigns/{id}/links": {
        get: operations["listCampaignLinks"];
    };
    "/campaigns/audience": {
        post: operations["previewCampaignAudience"];
    };
    "/campaigns/{id}/preview": {
        post: operations["previewCampaign"];
    };
    "/campaigns/{id}/test": {
        post: operations["testCampaign"];
    };
    "/campaigns/{id}/checks": {
        get: operations["checkCampaign"];
    };
    "/campaigns/{id}/estimate": {
        get: operations["estimateCampaign"];
    };
    "/automations": {
        get: operations["listAutomations"];
        post: operations["createAutomation"];
    };
    "/automations/{id}": {
        get: operations["getAutomation"];
        delete: operations["deleteAutomation"];
        patch: operations["updateAutomation"];
    };
    "/automations/{id}/stop": {
        post: operations["stopAutomation"];
    };
    "/automations/{id}/duplicate": {
        post: operations["duplicateAutomation"];
    };
    "/automations/{id}/versions": {
        get: operations["listAutomationVersions"];
    };
    "/automations/{id}/move-runs": {
        post: operations["moveAutomationRuns"];
    };
    "/automations/{id}/dry-run": {
        post: operations["dryRunAutomation"];
    };
    "/automations/{id}/runs": {
        get: operations["listAutomationRuns"];
        post: operations["startAutomationRun"];
    };
    "/automations/{id}/runs/{runId}": {
        get: operations["getAutomationRun"];
    };
    "/automations/{id}/runs/{runId}/cancel": {
        post: operations["cancelAutomationRun"];
    };
    "/automations/{id}/runs/{runId}/retry": {
        post: operations["retryAutomationRun"];
    };
    "/automations/{id}/figures": {
        get: operations["getAutomationFigures"];
    };
    "/events/send": {
        post: operations["sendEvent"];
    };
    "/events": {
        get: operations["listEvents"];
        post: operations["createEventDefinition"];
    };
    "/event-definitions": {
        get: operations["listEventDefinitions"];
    };
    "/events/{id}": {
        get: operations["getEventDefinition"];
        delete: operations["deleteEventDefinition"];
        patch: operations["updateEventDefinition"];
    };
    "/api-keys": {
        get: operations["listApiKeys"];
        post: operations["createApiKey"];
    };
    "/api-keys/{id}": {
        get: operations["getApiKey"];
        delete: operations["revokeApiKey"];
        patch: operations["updateApiKey"];
    };
    "/properties": {
        get: operations["listProperties"];
        post: operations["createProperty"];
    };
    "/properties/{id}": {
        get: operations["getProperty"];
        delete: operations["deleteProperty"];
        patch: operations["updateProperty"];
    };
    "/contacts": {
        get: operations["listContacts"];
        post: operations["createContact"];
    };
    "/contacts/{id}": {
        get: operations["getContact"];
        delete: operations["deleteContact"];
        patch: operations["updateContact"];
    };
    "/contacts/{id}/lists": {
        get: operations["listContactLists"];
        post: operations["addContactToLists"];
    };
    "/contacts/{id}/lists/{listId}": {
        delete: operations["removeContactFromList"];
    };
    "/contacts/{id}/segments": {
        get: operations["listContactSegments"];
    };
    "/contacts/{id}/segments/{segmentId}": {
        post: operations["addContactToSegment"];
        delete: operations["removeContactFromSegment"];
    };
    "/lists": {
        get: operations["listLists"];
        post: operations["createList"];
    };
    "/lists/{id}": {
        get: operations["getList"];
        delete: operations["deleteList"];
        patch: operations["updateList"];
    };
    "/lists/{id}/contacts": {
        get: operations["listContactsInList"];
    };
    "/suppressions": {
        get: operations["listSuppressions"];
        post: operations["suppressAddress"];
    };
    "/suppressions/batch/add": {
        post: operations["suppressAddresses"];
    };
    "/suppressions/batch/remove": {
        post: operations["removeSuppressions"];
    };
    "/suppressions/{id}": {
        get: operations["getSuppression"];
        delete: operations["removeSuppression"];
        patch: operations["updateSuppression"];
    };
    "/unsubscriptions": {
        get: operations["listUnsubscriptions"];
        post: operations["createUnsubscription"];
    };
    "/unsubscriptions/{id}": {
        delete: operations["deleteUnsubscription"];
    };
    "/contacts/import": {
        post: operations["importContacts"];
    };
    "/contacts/imports": {
        get: operations["listContactImports"];
    };
    "/contacts/imports/{id}": {
        get: operations["getContactImport"];
    };
    "/contacts/imports/{id}/errors": {
        get: operations["listContactImportErrors"];
    };
    "/suppressions/import": {
        post: operations["importSuppressions"];
    };
    "/suppressions/imports": {
        get: operations["listSuppressionImports"];
    };
    "/suppressions/imports/{id}": {
        get: operations["getSuppressionImport"];
    };
    "/suppressions/imports/{id}/errors": {
        get: operations["listSuppressionImportErrors"];
    };
    "/contacts/export": {
        get: operations["exportContacts"];
    };
    "/suppressions/export": {
        get: operations["exportSuppressions"];
    };
    "/contacts/{id}/erase": {
        post: operations["erasePerson"];
    };
    "/erasures/{id}": {
        get: operations["getErasure"];
    };
    "/contacts/{id}/export": {
        get: operations["exportPerson"];
    };
    "/webhooks": {
        get: operations["listWebhooks"];
        post: operations["createWebhook"];
    };
    "/webhooks/{id}": {
        get: operations["getWebhook"];
        delete: operations["deleteWebhook"];
        patch: operations["updateWebhook"];
    };
    "/webhooks/{id}/test": {
        post: operations["testWebhook"];
    };
    "/webhooks/{id}/rotate-secret": {
        post: operations["rotateWebhookSecret"];
    };
    "/webhooks/{id}/replay": {
        post: operations["replayWebhookEvents"];
    };
    "/webhooks/{id}/deliveries": {
        get: operations["listWebhookDeliveries"];
    };
    "/webhooks/{id}/deliveries/{deliveryId}": {
        get: operations["getWebhookDelivery"];
    };
    "/webhooks/{id}/deliveries/{deliveryId}/replay": {
        post: operations["replayWebhookDelivery"];
    };
    "/captured": {
        get: operations["listCapturedEmails"];
        delete: operations["deleteCapturedEmails"];
    };
    "/captured/{id}": {
        get: operations["getCapturedEmail"];
    };
    "/emails/metrics": {
        get: operations["getEmailMetrics"];
    };
    "/attention": {
        get: operations["listAlerts"];
    };
    "/go-live": {
        get: operations["getGoLive"];
    };
    "/summary": {
        get: operations["getSummary"];
    };
    "/usage": {
        get: operations["getUsage"];
    };
    "/audit": {
        get: operations["listAuditEntries"];
    };
    "/logs": {
        get: operations["listLogs"];
    };
    "/logs/{id}": {
        get: operations["getLog"];
    };
    "/retention": {
        get: operations["getRetention"];
        patch: operations["updateRetention"];
    };
    "/operator/teams": {
        get: operations["listTeams"];
        post: operations["createTeam"];
    };
    "/operator/teams/{id}": {
        get: operations["getTeamAsOperator"];
        patch: operations["updateTeamAsOperator"];
    };
    "/operator/teams/{id}/pause": {
        post: operations["pauseTeam"];
    };
    "/operator/teams/{id}/resume": {
        post: operations["resumeTeam"];
    };
    "/operator/teams/{id}/invitations": {
        post: operations["inviteToTeam"];
    };
    "/operator/plans": {
        get: operations["listPlans"];
    };
    "/operator/queue": {
        get: operations["getQueue"];
    };
    "/sites": {
        get: operations["listSites"];
    };
    "/sites/{name}/pause": {
        post: operations["pauseSite"];
    };
    "/sites/{name}/resume": {
        post: operations["resumeSite"];
    };
    "/operator/shaping": {
        get: operations["getShaping"];
    };
    "/operator/nodes": {
        get: operations["listNodes"];
    };
    "/operator/health": {
        get: operations["getHealth"];
    };
    "/operator/server-checks": {
        get: operations["getServerChecks"];
        post: operations["runServerChecks"];
    };
}
export interface webhooks {
    "email.queued": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailQueuedEvent"];
                };
            };
        };
    };
    "email.scheduled": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailScheduledEvent"];
                };
            };
        };
    };
    "email.sent": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailSentEvent"];
                };
            };
        };
    };
    "email.delivered": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailDeliveredEvent"];
                };
            };
        };
    };
    "email.delivery_delayed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailDeliveryDelayedEvent"];
                };
            };
        };
    };
    "email.bounced": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailBouncedEvent"];
                };
            };
        };
    };
    "email.failed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailFailedEvent"];
                };
            };
        };
    };
    "email.rejected": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailRejectedEvent"];
                };
            };
        };
    };
    "email.suppressed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailSuppressedEvent"];
                };
            };
        };
    };
    "email.canceled": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailCanceledEvent"];
                };
            };
        };
    };
    "email.complained": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailComplainedEvent"];
                };
            };
        };
    };
    "email.opened": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailOpenedEvent"];
                };
            };
        };
    };
    "email.clicked": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailClickedEvent"];
                };
            };
        };
    };
    "email.received": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailReceivedEvent"];
                };
            };
        };
    };
    "contact.created": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContactCreatedEvent"];
                };
            };
        };
    };
    "contact.updated": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContactUpdatedEvent"];
                };
            };
        };
    };
    "contact.deleted": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContactDeletedEvent"];
                };
            };
        };
    };
    "contact.list_joined": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContactListJoinedEvent"];
                };
            };
        };
    };
    "contact.list_left": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContactListLeftEvent"];
                };
            };
        };
    };
    "contact.event": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContactEventEvent"];
                };
            };
        };
    };
    "contact.unsubscribed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContactUnsubscribedEvent"];
                };
            };
        };
    };
    "domain.created": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DomainCreatedEvent"];
                };
            };
        };
    };
    "domain.verified": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DomainVerifiedEvent"];
                };
            };
        };
    };
    "domain.failed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DomainFailedEvent"];
                };
            };
        };
    };
    "domain.deleted": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DomainDeletedEvent"];
                };
            };
        };
    };
    "suppression.added": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SuppressionAddedEvent"];
                };
            };
        };
    };
    "suppression.removed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SuppressionRemovedEvent"];
                };
            };
        };
    };
    "campaign.started": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CampaignStartedEvent"];
                };
            };
        };
    };
    "campaign.paused": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CampaignPausedEvent"];
                };
            };
        };
    };
    "campaign.resumed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CampaignResumedEvent"];
                };
            };
        };
    };
    "campaign.sent": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CampaignSentEvent"];
                };
            };
        };
    };
    "campaign.canceled": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CampaignCanceledEvent"];
                };
            };
        };
    };
    "webhook.disabled": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookDisabledEvent"];
                };
            };
        };
    };
    "team.paused": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TeamPausedEvent"];
                };
            };
        };
    };
    "team.resumed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TeamResumedEvent"];
                };
            };
        };
    };
}
export interface components {
    schemas: {
        Error: {
            /** @description HTTP status. */
            statusCode: number;
            /**
             * @description Identifies the error. Branch on this in your code.
             * @enum {string}
             */
            name: "missing_api_key" | "invalid_api_key" | "restricted_api_key" | "not_logged_in" | "invalid_credentials" | "invalid_code" | "login_expired" | "recent_login_required" | "session_required" | "cross_site_request" | "forbidden_role" | "password_login_off" | "operators_only" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_link" | "not_found" | "method_not_allowed" | "conflict" | "invalid_idempotency_key" | "invalid_idempotent_request" | "concurrent_idempotent_requests" | "payload_too_large" | "unsupported_media_type" | "bad_request" | "validation_error" | "rate_limit_exceeded" | "internal_server_error" | "service_unavailable";
            /** @description A message for people. With `errors`, the first of those messages. */
            message: string;
            /** @description A sentence that helps. */
            hint?: string;
            /** @description For validation errors: messages by the dotted path of the field (`attachments.0.content`). */
            errors?: {
                [key: string]: string[];
            };
        };
        PageLinks: {
            first: string | null;
            last: string | null;
            prev: string | null;
            next: string | null;
        };
        PageMeta: {
            /** @description Number of this page. */
            current_page: number;
            /** @description Position of the first record on this page; 0 when the page is empty. */
            from: number;
            /** @description Number of the last page; 1 when the list is empty. */
            last_page: number;
            path: string;
            /** @description Maximum number of records on a page. */
            per_page: number;
            /** @description Position of the last record on this page; 0 when the page is empty. */
            to: number;
            /** @description Number of records in the list. With a filter, it can stop at 10,000. */
            total: number;
        };
        Page: {
            /** @constant */
            object: "list";
            /** @description Whether more records follow in the paging direction. */
            has_more: boolean;
            links: components["schemas"]["PageLinks"];
            meta: components["schemas"]["PageMeta"];
        };
        AttachmentInput: {
            /** @description File name. Only its base name is used. */
            filename?: string | null;
            /** @description Content: base64 (RFC 4648; padding is optional, white space is ignored) or a Buffer. Required unless `path` is given. */
            content?: string | {
                /**
                 * @description JSON form of a Node.js Buffer.
                 * @constant
                 */
                type: "Buffer";
                /** @description The bytes, as integers from 0 to 255. */
                data: unknown[];
            } | null;
            /** @description An http(s) URL that the server fetches at acceptance, within 15 s per file and 60 s per request. Up to five redirects are followed. */
            path?: string | null;
            /** @description Media type. Default: derived from the file name. */
            content_type?: string | null;
            /** @description Makes the attachment an inline image. HTML refers to it as `cid:` and this id. */
            content_id?: string | null;
        };
        /** @description Values by key, required for variables without a fallback. Unused keys are ignored. */
        VariableValues: {
            [key: string]: string | number;
        };
        SendEmailRequest: {
            /** @description The sender, at a verified domain. Required unless a template provides it. At most 254 characters, with an optional display name: `Ann <ann@example.com>`. */
            from?: string | null;
            /** @description The recipients. Required unless `cc` or `bcc` is given. A duplicate address receives one copy. One address or up to 50. */
            to?: string | string[] | null;
            /** @description Recipients of a copy, visible to all. At most 150 recipients in `to`, `cc`, and `bcc` together. One address or up to 150. */
            cc?: string | string[] | null;
            /** @description Hidden recipients: no copy of the message shows them. One address or up to 150. */
            bcc?: string | string[] | null;
            /** @description Reply addresses. Override those of the template and its sender. One address or up to 50. */
            reply_to?: string | string[] | null;
            /** @description Subject. Required unless a template provides it. Overrides the template. */
            subject?: string | null;
            /** @description HTML part. Required unless `text` or a template is given. Overrides the template. If empty, the email has no HTML part. */
            html?: string | null;
            /** @description Text part. Default: derived from `html`. Overrides the template. If empty and `html` is given, the email has no text part. */
            text?: string | null;
            /** @description Custom header fields. Fields that Sendwright sets return 422. `Return-Path` and `Date` are removed. An unused `Message-ID` at a verified domain is kept; others become `X-Original-Message-ID`. */
            headers?: {
                [key: string]: string | string[];
            } | null;
            /** @description For filters and metrics, never sent. A string is the name of a tag with an empty value. */
            tags?: ({
                /** @description 1 to 256 characters. */
                name: string;
                /** @description Up to 256 characters. */
                value?: string | null;
            } | string)[] | null;
            /** @description When to send, in ISO 8601. UTC unless it has an offset; at most 365 days ahead. */
            scheduled_at?: string | null;
            /** @description Attached files. The complete message can have at most 37,500,000 bytes. */
            attachments?: components["schemas"]["AttachmentInput"][] | null;
            /** @description Provides each of `from`, `subject`, `html`, `text`, and `reply_to` that the request omits. Fields in the request are literal: `{{KEY}}` in them is text. */
            template?: {
                /** @description Id or alias of a published template. */
                id: string;
                /** @description Values by key, required for variables without a fallback. Unused keys are ignored. */
                variables?: components["schemas"]["VariableValues"] | null;
            } | null;
            /**
             * @description Default: `transactional`, which goes before bulk mail.
             * @enum {string|null}
             */
            class?: "transactional" | "bulk" | null;
            /** @description The list or topic that the recipient can leave by one-click List-Unsubscribe (RFC 8058). The email must have a single recipient. Recipients who unsubscribed get no more email of the same list or topic. */
            unsubscribe?: {
                /** @description Id of the list. */
                list_id?: string | null;
                /** @description Name of the topic, as readers see it: 1 to 100 characters, such as `Product news`. */
                topic?: string | null;
            } | null;
        };
        AcceptedEmail: {
            id: string;
        };
        DomainRef: {
            id: string;
            /** @description Null if the domain was deleted. */
            name: string | null;
        };
        /** @description Template that the email was rendered from. */
        TemplateRef: {
            id: string;
            /** @description Its name when the email was accepted. */
            name: string;
        };
        /** @description UTC, `YYYY-MM-DD HH:MM:SS`. */
        Time: string;
        TimeOrNull: components["schemas"]["Time"] | null;
        EmailSummary: {
            /** @constant */
            object: "email";
            id: string;
            /** @description Message-ID. */
            message_id: string;
            /** @description Sender, with the display name. */
            from: string;
            /** @description As given, without duplicates. */
            to: string[];
            /** @description As given, without duplicates. */
            cc: string[];
            /** @description As given, without duplicates. */
            bcc: string[];
            /** @description Reply addresses. Empty: replies go to the sender. */
            reply_to: string[];
            /** @description Subject. */
            subject: string;
            tags: {
                /** @description 1 to 256 characters. */
                name: string;
                /** @description Up to 256 characters. */
                value: string;
            }[];
            /**
             * @description `queued` or `delivery_delayed` until each recipient has a result. Then the status of all recipients, or `partially_delivered` if they differ.
             * @enum {string}
             */
            status: "scheduled" | "queued" | "sent" | "delivered" | "delivery_delayed" | "bounced" | "failed" | "suppressed" | "canceled" | "rejected" | "partially_delivered";
            /** @description Type of the newest event without `email.`, such as `delivered`. */
            last_event: string;
            /** @enum {string} */
            class: "transactional" | "bulk";
            domain: components["schemas"]["DomainRef"];
            template: components["schemas"]["TemplateRef"] | null;
            scheduled_at: components["schemas"]["TimeOrNull"];
            sent_at: components["schemas"]["TimeOrNull"];
            created_at: components["schemas"]["Time"];
        };
        EmailSummaryList: components["schemas"]["Page"] & {
            data: components["schemas"]["EmailSummary"][];
        };
        AttachmentSummary: {
            /** @description File name. */
            filename: string;
            /** @description Media type. */
            content_type: string;
            /** @description Id of an inline image. */
            content_id: string | null;
            /** @description Size in bytes. */
            size: number;
        };
        /**
         * @description Type of the event.
         * @enum {string}
         */
        EventType: "email.queued" | "email.scheduled" | "email.sent" | "email.delivered" | "email.delivery_delayed" | "email.bounced" | "email.failed" | "email.rejected" | "email.suppressed" | "email.canceled" | "email.complained" | "email.opened" | "email.clicked" | "email.received" | "contact.created" | "contact.updated" | "contact.deleted" | "contact.list_joined" | "contact.list_left" | "contact.event" | "contact.unsubscribed" | "domain.created" | "domain.verified" | "domain.failed" | "domain.deleted" | "suppression.added" | "suppression.removed" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.sent" | "campaign.canceled" | "webhook.disabled" | "team.paused" | "team.resumed";
        EmailEvent: {
            /** @constant */
            object: "event";
            id: string;
            type: components["schemas"]["EventType"];
            created_at: components["schemas"]["Time"];
            /** @description The recipient and the details. The fields depend on the type. */
            data: {
                [key: string]: unknown;
            };
        };
        Email: components["schemas"]["EmailSummary"] & {
            /** @description Null if there is none. */
            html: string | null;
            /** @description Null if there is none. */
            text: string | null;
            /** @description Custom header fields. */
            headers: {
                [key: string]: string | string[];
            };
            attachments: components["schemas"]["AttachmentSummary"][];
            /** @description The content is no longer stored: `html` and `text` are null, `headers` and `attachments` empty. */
            content_expired: boolean;
            recipients: {
                /** @description Address, without a display name. */
                email: string;
                /** @enum {string} */
                type: "to" | "cc" | "bcc";
                /**
                 * @description `delivered`: the server of the recipient accepted the email. `sent`: a relay accepted it. `bounced`, `rejected` (because of the content), and `failed` (lifetime over, or a fault of Sendwright) are final. A later DSN can change `delivered` or `sent` to one of these.
                 * @enum {string}
                 */
                status: "scheduled" | "queued" | "sent" | "delivered" | "delivery_delayed" | "bounced" | "failed" | "suppressed" | "canceled" | "rejected";
                /** @description SMTP code of the last reply. */
                smtp_code: number | null;
                /** @description Enhanced status code of the last reply (RFC 3463). */
                enhanced_code: string | null;
                /** @description Text of the last reply, or why there was none. */
                response: string | null;
                /** @description Reason as an identifier: `accepted`, `no_such_address`, `mailbox_full`, ... */
                category: string | null;
                /** @description Explanation and recommended action, for people. Programs use `category`. Null if there is nothing to report yet. */
                advice: string | null;
                /** @description Host that sent the last reply. */
                mx_host: string | null;
                /** @description Delivery attempts. */
                attempts: number;
                next_attempt_at: components["schemas"]["TimeOrNull"];
                updated_at: components["schemas"]["Time"];
            }[];
            events: components["schemas"]["EmailEvent"][];
        };
        Attempt: {
            /** @description Address of the recipient. */
            recipient: string;
            /** @description Number of the attempt for this recipient, from 1. */
            attempt: number;
            started_at: components["schemas"]["Time"];
            /** @description Duration in milliseconds. */
            duration_ms: number;
            /** @description `delivered`, `deferred`, `bounced`, `rejected`, or `failed`. */
            outcome: string;
            /** @description Reason as an identifier: `accepted`, `no_such_address`, `mailbox_full`, ... */
            category: string;
            /** @description Explanation and recommended action, for people. Programs use `category`. */
            advice: string | null;
            /** @description SMTP code of the deciding reply, if any. */
            smtp_code: number | null;
            /** @description Enhanced status code of the deciding reply (RFC 3463). */
            enhanced_code: string | null;
            /** @description Text of the deciding reply, or why there was none. */
            response: string | null;
            /** @description Host name of the server. */
            mx_host: string | null;
            /** @description IP address of the server. */
            mx_address: string | null;
            /** @description Local IP address of the connection. */
            source_address: string | null;
            /** @description TLS version, cipher, and how the certificate was verified (`dane`, `mta-sts`, `enforced`, `verified`, `unverified (...)`), or `none (...)` with the reason. Null if TLS was not attempted. */
            tls: string | null;
            conversation: {
                /** @description Milliseconds into the attempt. */
                at_ms: number;
                /** @enum {string} */
                who: "client" | "server" | "note";
                /** @description One line of the transcript, without the message itself. */
                text: string;
            }[];
        };
        AttemptList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Attempt"][];
        };
        RescheduleEmailRequest: {
            /** @description When to send, in ISO 8601. UTC unless it has an offset; at most 365 days ahead. */
            scheduled_at: string;
        };
        EmailRef: {
            /** @constant */
            object: "email";
            id: string;
        };
        ResendEmailRequest: {
            /** @description Recipients, at most 50. If absent, all recipients of the original in to, cc, and bcc. If present, `cc` and `bcc` are empty unless given. */
            to?: string | string[] | null;
            /** @description Recipients of a copy, visible to all. */
            cc?: string | string[] | null;
            /** @description Hidden recipients. */
            bcc?: string | string[] | null;
        };
        EmailAttachment: {
            /** @constant */
            object: "attachment";
            id: string;
            /** @description File name. */
            filename: string;
            /** @description Size in bytes. */
            size: number;
            /** @description Media type. */
            content_type: string;
            /** @enum {string} */
            content_disposition: "inline" | "attachment";
            /** @description Id of an inline image. */
            content_id: string | null;
            /** @description A public link to the file, without a key. */
            download_url: string;
            expires_at: components["schemas"]["Time"];
        };
        EmailAttachmentList: components["schemas"]["Page"] & {
            data: components["schemas"]["EmailAttachment"][];
        };
        ShareEmailRequest: {
            /** @description How long the link works: `2 hours`, up to 30 days. Default: 48 hours. */
            expires_in?: string | null;
        };
        SharedEmail: {
            /** @constant */
            object: "email";
            id: string;
            /** @description The link. */
            url: string;
            expires_at: components["schemas"]["Time"];
        };
        SendMimeEmailRequest: {
            /** @description Sender at a verified domain, with an optional display name. MAIL FROM is a return path of Sendwright, which receives the bounces. */
            envelope_from: string;
            /** @description Recipient, with an optional display name. Addresses in the header of the message are ignored. */
            envelope_to: string;
            /** @description The message (RFC 5322) in UTF-8: a header, an empty line, and the body. At most 37,500,000 bytes. The header must have exactly one From field, with one address at a verified domain. */
            raw_message: string;
            /**
             * @description Default: `transactional`, which goes before bulk mail.
             * @enum {string|null}
             */
            class?: "transactional" | "bulk" | null;
        };
        SendBatchRequest: components["schemas"]["SendEmailRequest"][];
        BatchResult: {
            /** @description Accepted emails, in the order of the request. */
            data: components["schemas"]["AcceptedEmail"][];
            /** @description With `x-batch-validation: permissive`: the rejected emails. */
            errors?: {
                /** @description Index of the email in the request, from 0. */
                index: number;
                /** @description The first error message of the email. */
                message: string;
            }[];
        };
        ValidateAddressRequest: {
            /** @description An address without a display name. Surrounding spaces are ignored. Text that is not an address returns the `block_reason` `invalid_syntax`. */
            email: string;
        };
        AddressEvaluations: {
            /** @description Whether the syntax is valid for sending. */
            has_valid_syntax: boolean;
            /** @description Whether the domain accepts mail: it has an MX or address record, and no null MX. False for an invalid syntax. Null if DNS did not respond within 3 seconds. */
            has_valid_dns: boolean | null;
            /** @description Whether the server of the domain knows the mailbox. Null without a reliable reply, and unless the operator has set `SENDWRIGHT_VALIDATE_SMTP`. */
            mailbox_exists: boolean | null;
            /** @description Whether the address belongs to a function (info, sales, postmaster), not to a person. */
            is_role_address: boolean;
            /** @description Whether the domain provides disposable mailboxes. */
            is_disposable: boolean;
            /** @description Whether the local part looks like random input or a code. */
            is_random_input: boolean;
        };
        AddressValidation: {
            /** @description Address as given. */
            email: string;
            /** @description False if the syntax or the domain is invalid, or the mailbox is known not to exist. */
            is_valid: boolean;
            evaluations: components["schemas"]["AddressEvaluations"];
            /** @description Whether `block_reason` is set. */
            should_block: boolean;
            /**
             * @description The first of these that applies. `invalid`: the domain accepts no mail, its server does not know the address, or your own mail to it bounced permanently.
             * @enum {string|null}
             */
            block_reason: "invalid_syntax" | "invalid" | "disposable_email" | null;
            validated_at: components["schemas"]["Time"];
            /**
             * @description `undeliverable`: `block_reason` is `invalid_syntax` or `invalid`. `risky`: a role, disposable, or random address, a probable typo, or a domain that accepts every address. `unknown`: DNS or the server did not respond. `deliverable`: none of these.
             * @enum {string}
             */
            verdict: "deliverable" | "risky" | "undeliverable" | "unknown";
            /** @description A suggested correction if the domain looks mistyped. */
            did_you_mean: string | null;
            /** @description Whether your team's mail to the address bounced permanently, with no delivery since. */
            has_known_bounce: boolean;
            /** @description Whether anyone can get a mailbox at this domain (gmail.com, gmx.de). */
            is_free_provider: boolean;
        };
        TemplateVariableInput: {
            /** @description Name in `{{KEY}}`: 1 to 64 letters, digits, and underscores, without a leading digit. */
            key: string;
            /**
             * @description Default `string`. A `number` takes a JSON number or a numeric string.
             * @enum {string|null}
             */
            type?: "string" | "number" | null;
            /** @description Used if a request gives no value. Null: each request must give one. Numeric for a `number`. */
            fallback_value?: string | number | null;
        };
        CreateTemplateRequest: components["schemas"]["UpdateTemplateRequest"] & {
            /** @description Name of the template. */
            name: string;
            /** @description Supports `{{VARIABLE}}`. No line breaks. The rendered subject must be valid in an email. */
            subject: string;
        };
        Sender: {
            /** @constant */
            object: "sender";
            id: string;
            domain_id: string;
            /** @description Display name. */
            name: string;
            /** @description Part before the @. */
            username: string;
            /** @description Address: username and domain. */
            email: string;
            /** @description Reply address. Default: the address of the sender. */
            reply_to: string;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        TemplateVariable: {
            /** @description Name in `{{KEY}}`. */
            key: string;
            /** @enum {string} */
            type: "string" | "number";
            /** @description Used if a request gives no value. Null: each request must give one. */
            fallback_value: string | null;
        };
        /** @description Text that looks like a placeholder but is not one, so it is sent unchanged. */
        TemplateWarnings: {
            /** @enum {string} */
            part: "subject" | "html" | "text";
            /** @description From 1. */
            line: number;
            /** @description From 1, in UTF-16 code units. */
            column: number;
            /** @description What works instead. */
            message: string;
        }[];
        Template: components["schemas"]["TemplateSummary"] & {
            /** @description Empty if there is none. */
            html_content: string;
            /** @description Empty if there is none. */
            text_content: string;
            variables: components["schemas"]["TemplateVariable"][];
            /** @description Sender as `Name <address>`. */
            from: string;
            /** @description Alias of `html_content`. */
            html: string;
            /** @description Alias of `text_content`. Null if there is none. */
            text: string | null;
            warnings: components["schemas"]["TemplateWarnings"];
        };
        TemplateSummary: {
            /** @constant */
            object: "template";
            id: string;
            /** @description Null: no folder. */
            folder_id: string | null;
            /** @description Name of the template. */
            name: string;
            /** @description A name to use instead of the id. */
            alias: string | null;
            /** @description Subject, with its placeholders. */
            subject: string;
            /** @description Empty: the reply address of the sender. */
            reply_to: string;
            /** @enum {string} */
            status: "published" | "draft";
            sender: components["schemas"]["Sender"];
            /** @description Increases with each change of the subject, content, variables, sender, or `reply_to`. */
            version: number;
            published_at: components["schemas"]["TimeOrNull"];
            /** @description Whether it has a draft with unpublished changes. */
            has_unpublished_versions: boolean;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        TemplateSummaryList: components["schemas"]["Page"] & {
            data: components["schemas"]["TemplateSummary"][];
        };
        UpdateTemplateRequest: {
            /** @description Name of the template. */
            name?: string | null;
            /** @description Supports `{{VARIABLE}}`. No line breaks. The rendered subject must be valid in an email. */
            subject?: string | null;
            /** @description Id of the sender. Required unless `from` is given. */
            sender_id?: string | null;
            /** @description `Name <address>`, instead of `sender_id`. Uses the sender with this address, or creates one at your domain. */
            from?: string | null;
            /** @description Up to 10,000 `{{VARIABLE}}` or `{{{VARIABLE}}}`. `html_content` or `text_content` is required; empty counts as absent. */
            html_content?: string | null;
            /** @description Up to 10,000 `{{VARIABLE}}` or `{{{VARIABLE}}}`. `html_content` or `text_content` is required; empty counts as absent. Default: derived from the HTML of each email. */
            text_content?: string | null;
            /** @description Alias of `html_content`, which takes precedence. */
            html?: string | null;
            /** @description Alias of `text_content`, which takes precedence. */
            text?: string | null;
            /** @description One address, with an optional display name. Default: that of the sender. */
            reply_to?: string | string[] | null;
            /** @description Id of the folder. Null: no folder. */
            folder_id?: string | null;
            /** @description A name to use instead of the id: letters, digits, dots, underscores, and hyphens. Unique, ignoring case (409). */
            alias?: string | null;
            /**
             * @description Default `published`. Emails need a published template.
             * @enum {string|null}
             */
            status?: "published" | "draft" | null;
            /** @description Each key once. A variable without a definition is a `string` without a fallback. */
            variables?: components["schemas"]["TemplateVariableInput"][] | null;
        };
        Deleted: {
            /** @description Type of the deleted record. */
            object: string;
            id: string;
            /** @constant */
            deleted: true;
        };
        TemplateDraft: {
            /** @constant */
            object: "template_draft";
            template_id: string;
            /** @description Increases with each change. */
            revision: number;
            /** @description The version of the template that the draft changes. */
            base_version: number;
            /** @description Whether the template has a later version. */
            is_outdated: boolean;
            /** @description Subject, with its placeholders. */
            subject: string;
            /** @description Empty if there is none. */
            html_content: string;
            /** @description Empty if there is none. */
            text_content: string;
            /** @description Empty: the reply address of the sender. */
            reply_to: string;
            variables: components["schemas"]["TemplateVariable"][];
            warnings: components["schemas"]["TemplateWarnings"];
            sender: components["schemas"]["Sender"];
            updated_by: {
                /**
                 * @description An API key or a user.
                 * @enum {string}
                 */
                type: "key" | "user";
                id: string;
                /** @description Name of the key or user. Null if it was deleted. */
                name: string | null;
            };
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        SaveTemplateDraftRequest: {
            /** @description Id of the sender. Required unless `from` is given. */
            sender_id?: string | null;
            /** @description `Name <address>`, instead of `sender_id`. Uses the sender with this address, or creates one at your domain. */
            from?: string | null;
            /** @description Supports `{{VARIABLE}}`. No line breaks. The rendered subject must be valid in an email. */
            subject?: string | null;
            /** @description Up to 10,000 `{{VARIABLE}}` or `{{{VARIABLE}}}`. `html_content` or `text_content` is required; empty counts as absent. */
            html_content?: string | null;
            /** @description Up to 10,000 `{{VARIABLE}}` or `{{{VARIABLE}}}`. `html_content` or `text_content` is required; empty counts as absent. Default: derived from the HTML of each email. */
            text_content?: string | null;
            /** @description Alias of `html_content`, which takes precedence. */
            html?: string | null;
            /** @description Alias of `text_content`, which takes precedence. */
            text?: string | null;
            /** @description One address, with an optional display name. Default: that of the sender. */
            reply_to?: string | string[] | null;
            /** @description Each key once. A variable without a definition is a `string` without a fallback. */
            variables?: components["schemas"]["TemplateVariableInput"][] | null;
            /** @description The revision you read, or 0 for no draft. Returns 409 if the draft has another. */
            revision?: number | null;
            /** @description The `version` of the template you read. Default: that of the draft, or the current one. */
            base_version?: number | null;
        };
        TemplateVersionSummary: {
            /** @constant */
            object: "template_version";
            id: string;
            template_id: string;
            /** @description Number of the version, from 1. */
            version: number;
            /** @description Whether it is the current version. */
            is_current: boolean;
            /** @description Subject, with its placeholders. */
            subject: string;
            /** @description Author. Null: the version predates the version history. */
            created_by: {
                /**
                 * @description An API key or a user.
                 * @enum {string}
                 */
                type: "key" | "user";
                id: string;
                /** @description Name of the key or user. Null if it was deleted. */
                name: string | null;
            } | null;
            created_at: components["schemas"]["Time"];
        };
        TemplateVersionSummaryList: components["schemas"]["Page"] & {
            data: components["schemas"]["TemplateVersionSummary"][];
        };
        TemplateVersion: components["schemas"]["TemplateVersionSummary"] & {
            /** @description Empty if there was none. */
            html_content: string;
            /** @description Empty if there was none. */
            text_content: string;
            /** @description Empty: the reply address of the sender. */
            reply_to: string;
            variables: components["schemas"]["TemplateVariable"][];
            /** @description The current sender record. Null if it was deleted. */
            sender: components["schemas"]["Sender"] | null;
        };
        PreviewRequest: {
            /** @description Values by key, required for variables without a fallback. Unused keys are ignored. */
            variables?: components["schemas"]["VariableValues"] | null;
            /** @description Replaces the subject of the template. Can be empty. */
            subject?: string | null;
            /** @description Replaces the HTML of the template. Null: none. */
            html_content?: string | null;
            /** @description Replaces the text of the template. Null: none. */
            text_content?: string | null;
            /** @description Alias of `html_content`. */
            html?: string | null;
            /** @description Alias of `text_content`. */
            text?: string | null;
            /** @description Replaces the `variables` of the template. */
            variable_definitions?: components["schemas"]["TemplateVariableInput"][] | null;
            /** @description Renders the draft of the template instead, if it has one. */
            draft?: boolean | null;
            /** @description Lists variables without a value in `missing` instead of returning 422. */
            allow_missing?: boolean | null;
        };
        TemplatePreview: {
            /** @constant */
            object: "template_preview";
            /** @description Null for content without a template. */
            template_id: string | null;
            /** @description Subject. Line breaks in values become spaces. */
            subject: string;
            /** @description Null if there is none. Values are escaped, except in `{{{KEY}}}`. */
            html: string | null;
            /** @description Null if there is none. Emails then derive it from the HTML. */
            text: string | null;
            /** @description With `allow_missing`: variables without a value or fallback, in order of use. Their placeholders remain. */
            missing: string[];
            warnings: components["schemas"]["TemplateWarnings"];
        };
        CreateTemplateFolderRequest: {
            /** @description Name of the folder. */
            name: string;
        };
        TemplateFolder: {
            /** @constant */
            object: "template_folder";
            id: string;
            /** @description Name of the folder. */
            name: string;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        TemplateFolderList: components["schemas"]["Page"] & {
            data: components["schemas"]["TemplateFolder"][];
        };
        UpdateTemplateFolderRequest: {
            /** @description Name of the folder. */
            name?: string | null;
        };
        CreateDomainRequest: components["schemas"]["UpdateDomainRequest"] & {
            /** @description Domain name in U-labels or A-labels, such as `mail.example.com`. */
            name: string;
        };
        /**
         * @description `verified` and `temporary_failure` can send.
         * @enum {string}
         */
        DomainStatus: "pending" | "verified" | "failed" | "temporary_failure";
        DnsRecord: {
            /** @description `DKIM`, `SPF` (the return path), `DMARC`, or `Tracking`. */
            record: string;
            /** @description `TXT` or `CNAME`. */
            type: string;
            /** @description Fully qualified name. */
            name: string;
            /** @description Value to publish. */
            value: string;
            /** @description `Auto`: the default of your DNS provider. */
            ttl: string;
            /**
             * @description `temporary_failure`: DNS did not respond.
             * @enum {string}
             */
            status: "pending" | "verified" | "failed" | "temporary_failure";
            /** @description Whether verification requires this record. */
            required: boolean;
            /** @description Values at the last check. Null before the first check. */
            found: string[] | null;
            /** @description How to fix this record. Null if it is right, or nothing more is known. */
            advice: string | null;
            checked_at: components["schemas"]["TimeOrNull"];
        };
        Domain: components["schemas"]["DomainSummary"] & {
            records: components["schemas"]["DnsRecord"][];
        };
        DomainSummary: {
            /** @constant */
            object: "domain";
            id: string;
            /** @description Domain name in A-labels, in lower case. */
            name: string;
            status: components["schemas"]["DomainStatus"];
            /** @description Why the domain is not verified, or may lose its verification. */
            status_reason: string | null;
            /** @description Whether only capture mode verified the domain, which counts in no other mode. */
            captured: boolean;
            /** @description Adds an open pixel to the HTML of emails. Off by default. */
            open_tracking: boolean;
            /** @description Routes links in the HTML of emails through this server. Off by default. */
            click_tracking: boolean;
            /**
             * @description `enforced`: delivery only over verified TLS. Other emails wait, then fail.
             * @enum {string}
             */
            tls: "opportunistic" | "enforced";
            /** @description Adds a second DKIM signature (Ed25519) once its record is in DNS. Off by default. */
            dkim_ed25519: boolean;
            /** @description Always null. For programs written for Resend. */
            region: null;
            capabilities: {
                /** @constant */
                sending: "enabled";
                /** @constant */
                receiving: "disabled";
            };
            verified_at: components["schemas"]["TimeOrNull"];
            checked_at: components["schemas"]["TimeOrNull"];
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        DomainSummaryList: components["schemas"]["Page"] & {
            data: components["schemas"]["DomainSummary"][];
        };
        UpdateDomainRequest: {
            /** @description Adds an open pixel to the HTML of emails. Off by default. */
            open_tracking?: boolean | null;
            /** @description Routes links in the HTML of emails through this server. Off by default. */
            click_tracking?: boolean | null;
            /**
             * @description `enforced`: delivery only over verified TLS. Other emails wait, then fail.
             * @enum {string|null}
             */
            tls?: "opportunistic" | "enforced" | null;
            /** @description Adds a second DKIM signature (Ed25519) once its record is in DNS. Off by default. */
            dkim_ed25519?: boolean | null;
        };
        DnsProvider: {
            /** @constant */
            object: "dns_provider";
            /** @description The zone that contains the domain. Null: DNS did not answer. */
            zone: string | null;
            /** @description Those of the zone. */
            name_servers: string[];
            /** @description The provider. Null: not known. */
            name: string | null;
            /** @description Its page for DNS records. */
            url: string | null;
        };
        CreateSenderRequest: components["schemas"]["UpdateSenderRequest"] & {
            /** @description Display name, without line breaks or control characters. */
            name: string;
            /** @description Part before the @: a Dot-string (RFC 5321). Unique in the domain, ignoring case (409). */
            username: string;
            /** @description Id of the domain. It must be verified when you send, not before. */
            domain_id: string;
        };
        SenderList: components["schemas"]["Page"] & {
            data: components["schemas"]["Sender"][];
        };
        UpdateSenderRequest: {
            /** @description Display name, without line breaks or control characters. */
            name?: string | null;
            /** @description Part before the @: a Dot-string (RFC 5321). Unique in the domain, ignoring case (409). */
            username?: string | null;
            /** @description Id of the domain. It must be verified when you send, not before. */
            domain_id?: string | null;
            /** @description Reply address. A display name is removed. Default: the address of the sender. */
            reply_to?: string | null;
        };
        SegmentConditionInput: {
            /**
             * @description Field of the contact. `property`: the value of the property, or else its fallback.
             * @enum {string}
             */
            field: "email" | "first_name" | "last_name" | "user_id" | "time_zone" | "unsubscribed" | "created_at" | "list" | "property";
            /**
             * @description Follows from the field or property; if given, it must match.
             * @enum {string|null}
             */
            type?: "string" | "number" | "date" | "boolean" | "list" | null;
            /**
             * @description The guide to segments lists the operators of each type. Strings compare case-insensitively. A `not_` operator matches every contact that the plain one does not, including those without a value. `is_set` ignores fallbacks.
             * @enum {string}
             */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "is_set" | "is_not_set" | "is" | "is_not" | "does_not_contain" | "exists" | "not_exists" | "greater_than" | "greater_than_or_equals" | "less_than" | "less_than_or_equals" | "greater_than_or_equal" | "less_than_or_equal" | "before" | "on_or_before" | "on" | "not_on" | "on_or_after" | "after" | "older_than" | "within_last" | "within_next" | "in" | "not_in";
            /** @description Required except for `is_set` and `is_not_set`. Number: a number or numeric string. Date: an ISO 8601 time, or a day in UTC; for `older_than`, `within_last` and `within_next`, a duration such as `30 days`. List: the id of a list; a deleted list has no contacts. */
            value?: string | number | boolean | null;
            /** @description Required for the field `property`, ignored for others. */
            property_id?: string | null;
        };
        SegmentFiltersInput: {
            /** @description Empty: the segment contains no contacts. */
            groups?: {
                /**
                 * @description How conditions combine. `all`: each must match. `any`: one is enough.
                 * @enum {string|null}
                 */
                match_type?: "all" | "any" | null;
                /** @description Conditions. */
                conditions: components["schemas"]["SegmentConditionInput"][];
            }[] | null;
        };
        CreateSegmentRequest: components["schemas"]["UpdateSegmentRequest"] & {
            /** @description Name of the segment. */
            name: string;
        };
        Segment: {
            /** @constant */
            object: "segment";
            id: string;
            /** @description Name of the segment. */
            name: string;
            /**
             * @description How groups combine. `all`: each must match. `any`: one is enough.
             * @enum {string}
             */
            match_type: "all" | "any";
            filters: {
                groups: {
                    /**
                     * @description How conditions combine. `all`: each must match. `any`: one is enough.
                     * @enum {string}
                     */
                    match_type: "all" | "any";
                    conditions: {
                        /** @enum {string} */
                        field: "email" | "first_name" | "last_name" | "user_id" | "time_zone" | "unsubscribed" | "created_at" | "list" | "property";
                        /**
                         * @description Type of the compared value.
                         * @enum {string}
                         */
                        type: "string" | "number" | "date" | "boolean" | "list";
                        /** @description Operator, without aliases. */
                        operator: string;
                        /** @description Value to compare with. Null for `is_set` and `is_not_set`. */
                        value: string | number | boolean | null;
                        property_id: string | null;
                    }[];
                }[];
            };
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        SegmentList: components["schemas"]["Page"] & {
            data: components["schemas"]["Segment"][];
        };
        UpdateSegmentRequest: {
            /** @description Name of the segment. */
            name?: string | null;
            /**
             * @description How groups combine. `all`: each must match. `any`: one is enough.
             * @enum {string|null}
             */
            match_type?: "all" | "any" | null;
            /** @description At most 20 groups and 50 conditions in total. */
            filters?: components["schemas"]["SegmentFiltersInput"] | null;
        };
        CountSegmentContactsRequest: {
            /**
             * @description How groups combine. `all`: each must match. `any`: one is enough.
             * @enum {string|null}
             */
            match_type?: "all" | "any" | null;
            /** @description At most 20 groups and 50 conditions in total. */
            filters?: components["schemas"]["SegmentFiltersInput"] | null;
        };
        ListRef: {
            /** @constant */
            object: "list";
            id: string;
            /** @description Name of the list. */
            name: string;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        Contact: {
            /** @constant */
            object: "contact";
            id: string;
            /** @description Address in lower case, with the domain in A-labels. Unique in the team. */
            email: string;
            /** @description Empty if not set. */
            first_name: string;
            /** @description Empty if not set. */
            last_name: string;
            /** @description Id of the contact in your application. Empty if not set. */
            user_id: string;
            /** @description IANA time zone. Empty if not set. */
            time_zone: string;
            /** @description Applies to campaigns and automations, never to transactional email. */
            unsubscribed: boolean;
            /** @description Values by property key in upper case. Dates are `YYYY-MM-DD HH:MM:SS` in UTC. */
            properties: {
                [key: string]: string | number;
            };
            /** @description Newest first, up to 1,000, or 100 in lists of contacts. `GET /contacts/{id}/lists` returns all. */
            lists: components["schemas"]["ListRef"][];
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        SegmentCount: {
            /** @constant */
            object: "segment_count";
            /** @description Number of matching contacts. */
            count: number;
            /** @description False if `count` is an estimate from the newest contacts, as it always is from 10,000. */
            is_exact: boolean;
            /** @description The newest five matches, or fewer if the scan would be too long for one request. */
            contacts: components["schemas"]["Contact"][];
        };
        ContactList: components["schemas"]["Page"] & {
            data: components["schemas"]["Contact"][];
        };
        AudienceInput: {
            /** @description Contacts of any of these. */
            include?: {
                /** @description A list. */
                list_id?: string | null;
                /** @description Or a segment. */
                segment_id?: string | null;
            }[] | null;
            /** @description Not those of any of these. */
            exclude?: {
                /** @description A list. */
                list_id?: string | null;
                /** @description Or a segment. */
                segment_id?: string | null;
            }[] | null;
        };
        SendWindow: {
            /** @description Opens at, as `HH:MM`. */
            from: string;
            /** @description Closes at. */
            to: string;
            /** @description IANA time zone. */
            time_zone: string;
            /** @description Days on which it opens, from 1, Monday. Null for all. */
            days?: number[] | null;
            /** @description Contacts with a time zone have their own hours. Cannot be turned on after the start. */
            by_contact?: boolean | null;
        };
        CreateCampaignRequest: components["schemas"]["UpdateCampaignRequest"] & {
            /** @description Its name. */
            name: string;
        };
        Audience: {
            /** @description Contacts of any of these. */
            include: {
                /** @description A list. */
                list_id?: string;
                /** @description Or a segment. */
                segment_id?: string;
            }[];
            /** @description Not those of any of these. */
            exclude: {
                /** @description A list. */
                list_id?: string;
                /** @description Or a segment. */
                segment_id?: string;
            }[];
        };
        /** @description Contacts. */
        CampaignRecipients: {
            /** @description Not sent yet. */
            waiting: number;
            /** @description With an email. */
            accepted: number;
            /** @description Opted out. */
            skipped: number;
            /** @description Lacking a value. */
            failed: number;
        };
        CampaignCounts: {
            /** @description Recipients with a result: `sent`, `delivered`, `bounced`, `failed`, or `rejected`, except those of a later DSN. */
            attempted: number;
            /** @description Recipients accepted by a relay. */
            sent: number;
            /** @description Recipients accepted by their server. */
            delivered: number;
            /** @description Recipients permanently rejected. */
            bounced: number;
            /** @description Bounces caused by the address itself. */
            bounced_hard: number;
            /** @description Recipients not delivered within the lifetime, or because of a fault of Sendwright. */
            failed: number;
            /** @description Recipients rejected because of the content. */
            rejected: number;
            /** @description Recipients skipped as suppressed. */
            suppressed: number;
            /** @description Recipients who reported spam. */
            complained: number;
            /** @description Opens by people. */
            opened: number;
            /** @description Recipients at their first open. */
            opened_unique: number;
            /** @description Opens by proxies and scanners. */
            opened_machine: number;
            /** @description Clicks by people. */
            clicked: number;
            /** @description Recipients at their first click. */
            clicked_unique: number;
            /** @description Clicks by scanners. */
            clicked_machine: number;
            /** @description Recipients who unsubscribed. */
            unsubscribed: number;
        };
        Campaign: components["schemas"]["CampaignSummary"] & {
            /** @description HTML, if there is no template. */
            html: string | null;
            /** @description Text, if there is no template. */
            text: string | null;
            /** @description Emails an hour, lately. */
            rate: number | null;
            estimated_end_at: components["schemas"]["TimeOrNull"];
            waits_until: components["schemas"]["TimeOrNull"];
        };
        CampaignSummary: {
            /** @constant */
            object: "campaign";
            id: string;
            /** @description Its name. */
            name: string;
            /** @enum {string} */
            status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled";
            /** @description Sender. */
            sender_id: string | null;
            /** @description Template. Null if deleted. */
            template_id: string | null;
            /** @description Subject, if there is no template. */
            subject: string | null;
            /** @description Shown behind the subject. */
            preview_text: string | null;
            /** @description Null: that of the template or the sender. */
            reply_to: string | null;
            /** @description The one included segment. Null if deleted. */
            segment_id: string | null;
            /** @description The one included list. Null if deleted. */
            list_id: string | null;
            audience: components["schemas"]["Audience"];
            scheduled_at: components["schemas"]["TimeOrNull"];
            /** @description Why it is paused. */
            paused_reason: string | null;
            started_at: components["schemas"]["TimeOrNull"];
            ended_at: components["schemas"]["TimeOrNull"];
            /** @description The most emails in an hour. Null for no limit. */
            rate_per_hour: number | null;
            /** @description Hours in which it is sent. Null for all. `to` before `from` is on the next day. */
            send_window: components["schemas"]["SendWindow"] | null;
            recipients: components["schemas"]["CampaignRecipients"];
            totals: components["schemas"]["CampaignCounts"];
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        CampaignSummaryList: components["schemas"]["Page"] & {
            data: components["schemas"]["CampaignSummary"][];
        };
        CampaignMetrics: {
            /** @constant */
            object: "campaign_metrics";
            id: string;
            recipients: components["schemas"]["CampaignRecipients"];
            totals: components["schemas"]["CampaignCounts"];
            /** @description By mailbox provider. */
            providers: {
                /** @description Its name. */
                provider: string;
                counts: components["schemas"]["CampaignCounts"];
            }[];
            /** @description By hour of the event: the first 744 with any. */
            hours: {
                at: components["schemas"]["Time"];
                counts: components["schemas"]["CampaignCounts"];
            }[];
        };
        UpdateCampaignRequest: {
            /** @description Its name. */
            name?: string | null;
            /** @description Sender. Required to send. */
            sender_id?: string | null;
            /** @description Published template. Not with `subject`, `html`, or `text`. */
            template_id?: string | null;
            /** @description No line breaks. Required without a template. */
            subject?: string | null;
            /** @description Shown behind the subject: hidden at the start of the HTML. No line breaks. */
            preview_text?: string | null;
            /** @description Address. Default: that of the template or the sender. */
            reply_to?: string | null;
            /** @description Required without a template and `text`. */
            html?: string | null;
            /** @description Required without a template and `html`. */
            text?: string | null;
            /** @description Segment. Not with `list_id`; one of the two, or `audience`, is required. */
            segment_id?: string | null;
            /** @description Id of the list. Not with `segment_id`. */
            list_id?: string | null;
            /** @description Instead of `segment_id` or `list_id`. A side that you omit does not change. */
            audience?: components["schemas"]["AudienceInput"] | null;
            /**
             * @description `sending` begins or resumes it.
             * @enum {string|null}
             */
            status?: "draft" | "scheduled" | "sending" | "paused" | "canceled" | null;
            /** @description ISO 8601, UTC unless it has an offset; at most 365 days ahead. Required for `scheduled`. */
            scheduled_at?: string | null;
            /** @description The most emails in an hour. Null for no limit. */
            rate_per_hour?: number | null;
            /** @description Hours in which it is sent. Null for all. `to` before `from` is on the next day. */
            send_window?: components["schemas"]["SendWindow"] | null;
        };
        CreateBroadcastRequest: components["schemas"]["UpdateBroadcastRequest"] & {
            /** @description Sends it, at `scheduled_at` or now. */
            send?: boolean | null;
            /** @description ISO 8601, or as in `in 1 hour`. Only with `send`. */
            scheduled_at?: string | null;
        };
        BroadcastId: {
            /** @constant */
            object: "broadcast";
            id: string;
        };
        BroadcastSummary: {
            /** @constant */
            object: "broadcast";
            id: string;
            /** @description Its name. */
            name: string;
            /** @description Null unless it goes to exactly one segment. */
            segment_id: string | null;
            /** @description The same. */
            audience_id: string | null;
            /** @enum {string} */
            status: "draft" | "queued" | "sent";
            created_at: components["schemas"]["Time"];
            scheduled_at: components["schemas"]["TimeOrNull"];
            sent_at: components["schemas"]["TimeOrNull"];
        };
        BroadcastSummaryList: components["schemas"]["Page"] & {
            data: components["schemas"]["BroadcastSummary"][];
        };
        Broadcast: components["schemas"]["BroadcastSummary"] & {
            /** @description As `Name <address>`. */
            from: string | null;
            /** @description Null with a template. */
            subject: string | null;
            /** @description One address. */
            reply_to: string[] | null;
            /** @description Shown beside the subject. */
            preview_text: string | null;
            topic_id: null;
            /** @description Null with a template. */
            html: string | null;
            /** @description Null with a template. */
            text: string | null;
        };
        UpdateBroadcastRequest: {
            /** @description Default: the subject. */
            name?: string | null;
            /** @description The segment to send to. */
            segment_id?: string | null;
            /** @description Alias of `segment_id`. */
            audience_id?: string | null;
            /** @description `Name <address>`, at a domain of the team. Required. */
            from?: string | null;
            /** @description No line breaks. Required. */
            subject?: string | null;
            /** @description Required without `text`. */
            html?: string | null;
            /** @description Required without `html`. */
            text?: string | null;
            /** @description One address. */
            reply_to?: string | string[] | null;
            /** @description Shown beside the subject. */
            preview_text?: string | null;
            /** @description Topics are not supported. */
            topic_id?: null;
        };
        SendBroadcastRequest: {
            /** @description ISO 8601, or as in `in 1 hour`. */
            scheduled_at?: string | null;
        };
        BroadcastRecipient: {
            id: string;
            /** @description Null if deleted. */
            contact_id: string | null;
            /** @description Its address. */
            email: string;
            /** @description Of opens or clicks. */
            count?: number;
            clicked_links?: {
                /** @description Its URL. */
                url: string;
                /** @description By people. */
                clicks: number;
            }[];
            /** @enum {string} */
            bounce_type?: "permanent" | "transient" | "undetermined";
        };
        BroadcastRecipientList: components["schemas"]["Page"] & {
            data: components["schemas"]["BroadcastRecipient"][];
        };
        BroadcastLink: {
            id: string;
            /** @description Its URL. */
            url: string;
            /** @description By people. */
            clicks: number;
            /** @description Recipients. */
            unique_clicks: number;
        };
        BroadcastLinkList: components["schemas"]["Page"] & {
            data: components["schemas"]["BroadcastLink"][];
        };
        SendCampaignRequest: {
            /** @description As for a campaign. Default: now. */
            scheduled_at?: string | null;
        };
        CampaignRetry: {
            /** @constant */
            object: "campaign_retry";
            campaign_id: string;
            /** @description Recipients that wait again. */
            count: number;
        };
        CampaignRecipient: {
            /** @constant */
            object: "campaign_recipient";
            id: string;
            contact_id: string;
            /** @description Null if the contact was deleted. */
            email: string | null;
            /** @enum {string} */
            state: "waiting" | "accepted" | "skipped" | "failed";
            /** @description Why it was skipped or failed. */
            reason: string | null;
            /** @description Email. */
            email_id: string | null;
            /** @description Status of the email. */
            email_status: string | null;
            updated_at: components["schemas"]["Time"];
        };
        CampaignRecipientList: components["schemas"]["Page"] & {
            data: components["schemas"]["CampaignRecipient"][];
        };
        /** @description A CSV file (RFC 4180) in UTF-8. */
        ExportCampaignRecipientsResponse: string;
        CampaignLink: {
            /** @constant */
            object: "campaign_link";
            id: string;
            /** @description Null: the rest, beyond 300 links. */
            url: string | null;
            /** @description Clicks of people. */
            clicked: number;
            /** @description Recipients. */
            clicked_unique: number;
            /** @description Machines. */
            clicked_machine: number;
        };
        CampaignLinkList: components["schemas"]["Page"] & {
            data: components["schemas"]["CampaignLink"][];
        };
        PreviewCampaignAudienceRequest: {
            /** @description Instead of `segment_id` or `list_id`. A side that you omit does not change. */
            audience?: components["schemas"]["AudienceInput"] | null;
            /** @description The segment, if it is all. */
            segment_id?: string | null;
            /** @description The list, if it is all. */
            list_id?: string | null;
        };
        CampaignAudience: {
            /** @constant */
            object: "campaign_audience";
            /** @description Contacts that would get it. */
            count: number;
            /** @description Left out: unsubscribed. */
            unsubscribed: number;
            /** @description Left out: suppressed. */
            suppressed: number;
            /** @description Whether counting took too long. */
            is_estimated: boolean;
            /** @description Up to ten of them. */
            contacts: {
                id: string;
                /** @description Address. */
                email: string;
                /** @description Or empty. */
                first_name: string;
                /** @description Or empty. */
                last_name: string;
            }[];
        };
        PreviewCampaignRequest: {
            /** @description Default: fallbacks only. */
            contact_id?: string | null;
        };
        CampaignPreview: {
            /** @constant */
            object: "campaign_preview";
            /** @description Null without a sender. */
            from: string | null;
            /** @description Null: replies go to the sender. */
            reply_to: string | null;
            /** @description Subject. */
            subject: string;
            /** @description With the preview text. */
            html: string | null;
            /** @description Null: derived from the HTML. */
            text: string | null;
            /** @description Variables without a value. */
            missing: string[];
            warnings: components["schemas"]["TemplateWarnings"];
        };
        TestCampaignRequest: {
            /** @description Addresses. */
            to: string[];
        };
        CampaignTest: {
            /** @constant */
            object: "campaign_test";
            data: {
                /** @description Address. */
                to: string;
                /** @description Id of the email. */
                id: string | null;
                /** @description Why there is none. */
                error: string | null;
            }[];
        };
        CampaignChecks: {
            /** @constant */
            object: "campaign_checks";
            data: {
                /** @enum {string} */
                code: "incomplete" | "sending_paused" | "domain_unverified" | "empty_audience" | "missing_value" | "no_unsubscribe_link" | "html_too_large" | "link_not_absolute" | "preview_text_unused" | "placeholder";
                /**
                 * @description `error`: it cannot be sent.
                 * @enum {string}
                 */
                severity: "error" | "warning";
                /** @description What to fix. */
                message: string;
            }[];
        };
        CampaignEstimate: {
            /** @constant */
            object: "campaign_estimate";
            /** @description Contacts. */
            count: number;
            /** @description Whether `count` is an estimate. */
            is_estimated: boolean;
            begins_at: components["schemas"]["Time"];
            ends_at: components["schemas"]["TimeOrNull"];
        };
        AutomationTrigger: {
            /** @description One of contact_created, contact_updated, property_changed, list_joined, list_left, segment_entered, email_delivered, email_opened, email_clicked, email_bounced, event, date, api. */
            type: string;
        };
        AutomationStepInput: {
            /** @description Unique in the automation: up to 64 letters, digits, `-` and `_`. */
            key?: string | null;
            /** @description One of `trigger` (type and its fields), `send_email` (template: id, [variables]; [subject], [from], [sender_id], [reply_to], [class]), `delay` (duration), `wait_until` ([time], [weekdays], [at], [time_zone]), `wait_for_event` (event_name, [timeout], [filter_rule], [email_step]), `condition` (a rule), `split` (branches: rule, [name]), `random_split` (branches: [weight], [name]), `contact_update` ([first_name], [last_name], [unsubscribed], [properties]), `contact_delete`, `add_to_list` (list_id), `remove_from_list` (list_id), `add_to_segment` (segment_id), `webhook` (webhook_id, [data], [response_timeout]), `digest` (duration, [item]), `goal` (event_name, [filter_rule] or rule; [otherwise]: `continue`, `wait` or `exit`), `exit` ([reason]). */
            type: string;
            /** @description Fields of the type. Triggers: `contact_created`, `contact_updated`, `property_changed` (property, [from], [to]), `list_joined` (list_id), `list_left` (list_id), `segment_entered` (segment_id), `email_delivered` ([campaign_id], [template_id], [tag]), `email_opened` ([campaign_id], [template_id], [tag]), `email_clicked` ([campaign_id], [template_id], [tag], [link]), `email_bounced` ([campaign_id], [template_id], [tag]), `event` (event_name, [filter_rule]), `date` (property, [offset], [repeat]: `once` or `yearly`, [time], [time_zone]), `api`. Durations: `3 days`, `PT1H` or seconds. Rules: `rule` (field, operator, value), `and`, `or`, `not`, `segment`. Values: `{"var": "event.plan"}` or `{"var": "contact.first_name"}`. */
            config?: {
                [key: string]: unknown;
            } | null;
        };
        AutomationConnection: {
            /** @description Key of the step before. */
            from: string;
            /** @description Key of the next step. */
            to: string;
            /**
             * @description Outcome of the step. Default: `default`.
             * @enum {string|null}
             */
            type?: "default" | "condition_met" | "condition_not_met" | "event_received" | "timeout" | "branch_1" | "branch_2" | "branch_3" | "branch_4" | "branch_5" | "branch_6" | "branch_7" | "branch_8" | "branch_9" | "branch_10" | null;
        };
        AutomationSettings: {
            /**
             * @description Whether a contact can start again.
             * @enum {string|null}
             */
            reentry?: "once" | "after_exit" | "every_time" | null;
            /** @description Shortest time from the last start, or for `after_exit` from the last end. */
            reentry_gap?: string | number | null;
            /**
             * @description What a trigger does to the run of its contact.
             * @enum {string|null}
             */
            on_retrigger?: "keep" | "restart" | null;
            /** @description Each ends a run. */
            exits?: {
                [key: string]: unknown;
            }[] | null;
            /** @description Emails that are later than this are skipped. */
            max_late?: string | number | null;
            /** @description Steps a minute after a pause. Default: 600. */
            resume_rate?: number | null;
        };
        CreateAutomationRequest: components["schemas"]["UpdateAutomationRequest"] & {
            /** @description Name of the automation. */
            name: string;
        };
        AutomationGraphStep: {
            /** @description Key of the step. */
            key: string;
            /** @description Type of the step. */
            type: string;
            /** @description Its fields, with durations such as `3 days`. */
            config: {
                [key: string]: unknown;
            };
        };
        AutomationStoredConnection: {
            /** @description Key of the step before. */
            from: string;
            /** @description Key of the next step. */
            to: string;
            /**
             * @description Outcome of the step.
             * @enum {string}
             */
            type: "default" | "condition_met" | "condition_not_met" | "event_received" | "timeout" | "branch_1" | "branch_2" | "branch_3" | "branch_4" | "branch_5" | "branch_6" | "branch_7" | "branch_8" | "branch_9" | "branch_10";
        };
        AutomationStoredSettings: {
            /**
             * @description Whether a contact can start again.
             * @enum {string}
             */
            reentry?: "once" | "after_exit" | "every_time";
            /** @description Shortest time from the last start, or for `after_exit` from the last end. */
            reentry_gap?: string | number | null;
            /**
             * @description What a trigger does to the run of its contact.
             * @enum {string}
             */
            on_retrigger?: "keep" | "restart";
            /** @description Each ends a run. */
            exits?: {
                [key: string]: unknown;
            }[];
            /** @description Emails that are later than this are skipped. */
            max_late?: string | number | null;
            /** @description Steps a minute after a pause. Default: 600. */
            resume_rate?: number;
        };
        Automation: {
            /** @constant */
            object: "automation";
            id: string;
            /** @description Name of the automation. */
            name: string;
            /**
             * @description `active` requires a complete graph. Resend: `enabled` or `disabled`.
             * @enum {string}
             */
            status: "draft" | "active" | "paused";
            /**
             * @description Why Sendwright paused it.
             * @enum {string|null}
             */
            paused_reason: "upgraded" | "restored" | null;
            /** @description The version that begins runs. 0: it was never active. */
            version: number;
            /** @description Config of the trigger step. */
            trigger: {
                [key: string]: unknown;
            } | null;
            /** @description Records that they refer to can be deleted unless it is active. */
            steps: components["schemas"]["AutomationGraphStep"][];
            connections: components["schemas"]["AutomationStoredConnection"][];
            settings: components["schemas"]["AutomationStoredSettings"];
            /** @description Only in lists. */
            runs?: {
                /** @description Under way. */
                running: number;
                /** @description Failed, up to 10,000. */
                failed: number;
            };
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        AutomationList: components["schemas"]["Page"] & {
            data: components["schemas"]["Automation"][];
        };
        UpdateAutomationRequest: {
            /** @description Name of the automation. */
            name?: string | null;
            /**
             * @description `enabled` and `disabled` stand for `active` and `paused`.
             * @enum {string|null}
             */
            status?: "draft" | "active" | "paused" | "enabled" | "disabled" | null;
            /** @description Replaces the config of the trigger step. */
            trigger?: components["schemas"]["AutomationTrigger"] | null;
            /** @description Replaced as a whole. Without keys: a chain of `send_email` (template_id), `wait` (seconds), `condition` (segment_id), `update_contact`, `add_to_list` and `remove_from_list`. */
            steps?: components["schemas"]["AutomationStepInput"][] | null;
            /** @description Replaced as a whole. */
            connections?: components["schemas"]["AutomationConnection"][] | null;
            /** @description Replaced as a whole. */
            settings?: components["schemas"]["AutomationSettings"] | null;
        };
        AutomationVersion: {
            /** @constant */
            object: "automation_version";
            automation_id: string;
            /** @description From 1. */
            version: number;
            steps: components["schemas"]["AutomationGraphStep"][];
            connections: components["schemas"]["AutomationStoredConnection"][];
            settings: components["schemas"]["AutomationStoredSettings"];
            /** @description Runs under way that follow it. */
            waiting: number;
            created_at: components["schemas"]["Time"];
        };
        ListAutomationVersionsResponse: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AutomationVersion"][];
        };
        MoveAutomationRunsRequest: {
            /** @description Version whose runs are moved. */
            from_version: number;
            /** @description Only count. Default: false. */
            dry_run?: boolean | null;
        };
        AutomationMove: {
            /** @constant */
            object: "automation_move";
            automation_id: string;
            /** @description The current version. */
            to_version: number;
            /** @description Runs that were moved, or would be. */
            moved: number;
            /** @description Runs that could not be moved. */
            left: number;
        };
        DryRunAutomationRequest: {
            /** @description Id of the contact. Required without `email`. */
            contact_id?: string | null;
            /** @description Address of the contact, which is created if it is new. */
            email?: string | null;
            /** @description For rules and templates. At most 32768 characters of JSON. */
            payload?: {
                [key: string]: unknown;
            } | null;
            /** @description Events that come. Waits for others time out. */
            events?: string[] | null;
        };
        AutomationDryRun: {
            /** @constant */
            object: "automation_dry_run";
            automation_id: string;
            steps: {
                /** @description Key of the step. */
                key: string;
                /** @description Type of the step. */
                type: string;
                at: components["schemas"]["Time"];
                /** @description What would happen. */
                decision: string;
                /** @description Type of the connection that it would take. Null: the run would end. */
                connection: string | null;
            }[];
            /** @description Why the run would end. */
            end: string;
        };
        AutomationRun: {
            /** @constant */
            object: "automation_run";
            id: string;
            automation_id: string;
            /** @description Version it follows. */
            version: number;
            contact_id: string;
            /** @description Null once the contact is deleted. */
            email: string | null;
            /**
             * @description State of the run.
             * @enum {string}
             */
            status: "running" | "completed" | "failed" | "cancelled";
            /**
             * @description How it ended. `exited`: by a condition or an exit step.
             * @enum {string|null}
             */
            outcome: "completed" | "goal" | "exited" | "failed" | "canceled" | null;
            /** @description Why it ended so, or what it waits for to pass. */
            reason: string | null;
            /** @description Key of the step where it is or ended. */
            step: string;
            /** @description When it goes on. Null: with an event only. */
            due_at: components["schemas"]["Time"] | null;
            /** @description Event that it waits for. `automation.webhook`: the response to its call. */
            awaits: string | null;
            /** @description It came due while the automation was paused. */
            is_held: boolean;
            started_at: components["schemas"]["Time"];
            completed_at: components["schemas"]["TimeOrNull"];
            created_at: components["schemas"]["Time"];
        };
        AutomationRunList: components["schemas"]["Page"] & {
            data: components["schemas"]["AutomationRun"][];
        };
        StartAutomationRunRequest: {
            /** @description Id of the contact. Required without `email`. */
            contact_id?: string | null;
            /** @description Address of the contact, which is created if it is new. */
            email?: string | null;
            /** @description For rules and templates. At most 32768 characters of JSON. */
            payload?: {
                [key: string]: unknown;
            } | null;
        };
        AutomationRunStep: {
            /** @description Key of the step. */
            key: string;
            /** @description Type of the step. */
            type: string;
            /**
             * @description What became of it. The last one may be where the run is now.
             * @enum {string}
             */
            status: "completed" | "failed" | "skipped" | "waiting" | "running";
            /** @description What it decided or did. */
            output: {
                [key: string]: unknown;
            } | null;
            /** @description Its `message` says why the step failed. */
            error: {
                [key: string]: unknown;
            } | null;
            /** @description Email that it sent. */
            email_id: string | null;
            started_at: components["schemas"]["TimeOrNull"];
            completed_at: components["schemas"]["TimeOrNull"];
            created_at: components["schemas"]["Time"];
        };
        AutomationRunTrail: {
            /** @constant */
            object: "automation_run";
            id: string;
            automation_id: string;
            /** @description Version it follows. */
            version: number;
            contact_id: string;
            /** @description Null once the contact is deleted. */
            email: string | null;
            /**
             * @description State of the run.
             * @enum {string}
             */
            status: "running" | "completed" | "failed" | "cancelled";
            /**
             * @description How it ended. `exited`: by a condition or an exit step.
             * @enum {string|null}
             */
            outcome: "completed" | "goal" | "exited" | "failed" | "canceled" | null;
            /** @description Why it ended so, or what it waits for to pass. */
            reason: string | null;
            /** @description Key of the step where it is or ended. */
            step: string;
            /** @description When it goes on. Null: with an event only. */
            due_at: components["schemas"]["Time"] | null;
            /** @description Event that it waits for. `automation.webhook`: the response to its call. */
            awaits: string | null;
            /** @description It came due while the automation was paused. */
            is_held: boolean;
            started_at: components["schemas"]["Time"];
            completed_at: components["schemas"]["TimeOrNull"];
            created_at: components["schemas"]["Time"];
            /** @description What began it. `automation_id`: the automation that caused the event. */
            trigger: {
                /** @description Type of the trigger. */
                type: string;
                event_id?: string;
                automation_id?: string;
            };
            /** @description What its rules and templates see. */
            payload: {
                [key: string]: unknown;
            };
            /** @description In order. */
            steps: components["schemas"]["AutomationRunStep"][];
        };
        AutomationFigures: {
            /** @constant */
            object: "automation_figures";
            automation_id: string;
            /** @description Version of the automation. */
            version: number;
            /** @description In the order of the graph. */
            steps: {
                /** @description Key of the step. */
                key: string;
                /** @description Runs that came here. */
                entered: number;
                /** @description Runs that are here. */
                waiting: number;
                /** @description Runs that went on. */
                done: number;
                /** @description Runs that went on without its effect. */
                skipped: number;
                /** @description Runs that failed here. */
                failed: number;
                /** @description Runs that ended here otherwise. */
                exited: number;
                /** @description Delivered emails. */
                delivered: number;
                /** @description Bounced emails. */
                bounced: number;
                /** @description Emails reported as spam. */
                complained: number;
                /** @description Emails opened by people. */
                opened: number;
                /** @description Emails clicked by people. */
                clicked: number;
            }[];
        };
        SendEventRequest: {
            /** @description Without white space. `resend:` and the names of events of Sendwright are reserved. */
            event: string;
            /** @description Id of the contact. Required without `email`. */
            contact_id?: string | null;
            /** @description Address of the contact, which is created if it is new. */
            email?: string | null;
            /** @description For rules and templates. At most 32768 characters of JSON. */
            payload?: {
                [key: string]: unknown;
            } | null;
            /** @description ISO 8601, for records. Default: now. */
            occurred_at?: string | null;
        };
        ReportedEvent: {
            /** @constant */
            object: "event";
            /** @description Name of the event. */
            event: string;
        };
        CreateEventDefinitionRequest: {
            /** @description Without white space. `resend:` and the names of events of Sendwright are reserved. */
            name: string;
            /** @description Required fields of the payload with their types. Null: any payload. */
            schema?: {
                [key: string]: "string" | "number" | "boolean" | "date";
            } | null;
        };
        EventDefinition: {
            /** @constant */
            object: "event";
            id: string;
            /** @description Name of the event. */
            name: string;
            /** @description Required fields of the payload with their types. Null: any payload. */
            schema: {
                [key: string]: "string" | "number" | "boolean" | "date";
            } | null;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        EventDefinitionList: components["schemas"]["Page"] & {
            data: components["schemas"]["EventDefinition"][];
        };
        UpdateEventDefinitionRequest: {
            /** @description Required fields of the payload with their types. Null: any payload. */
            schema: {
                [key: string]: "string" | "number" | "boolean" | "date";
            } | null;
        };
        CreateApiKeyRequest: components["schemas"]["UpdateApiKeyRequest"] & {
            /** @description Name of the key. */
            name: string;
        };
        ApiKeyWithToken: components["schemas"]["ApiKey"] & {
            /** @description The key itself. Returned only in this response. */
            token: string;
        };
        ApiKey: {
            /** @constant */
            object: "api_key";
            id: string;
            /** @description Name of the key. */
            name: string;
            /** @enum {string} */
            permission: "full" | "send";
            domain_id: string | null;
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /** @description How the key begins. */
            prefix: string;
            expires_at: components["schemas"]["TimeOrNull"];
            last_used_at: components["schemas"]["TimeOrNull"];
            created_at: components["schemas"]["Time"];
        };
        ApiKeyList: components["schemas"]["Page"] & {
            data: components["schemas"]["ApiKey"][];
        };
        UpdateApiKeyRequest: {
            /** @description Name of the key. */
            name?: string | null;
            /**
             * @description `send` allows only `POST /emails*` and `GET /emails/{id}`. `full_access` and `sending_access` are aliases of `full` and `send`.
             * @enum {string|null}
             */
            permission?: "full" | "send" | "full_access" | "sending_access" | null;
            /** @description Limits the key to this domain. */
            domain_id?: string | null;
            /** @description When the key expires: a future ISO 8601 time, in UTC unless it has an offset. */
            expires_at?: string | null;
        };
        /**
         * @description Type of the values. It never changes.
         * @enum {string}
         */
        PropertyType: "string" | "number" | "date";
        CreatePropertyRequest: {
            /** @description A letter, then letters, digits, and `_`. Unique, ignoring case. */
            key: string;
            type: components["schemas"]["PropertyType"];
            /** @description Used if a contact has no value. It must fit the type, and is stored as text. */
            fallback_value?: string | null;
        };
        Property: {
            /** @constant */
            object: "property";
            id: string;
            /** @description Key as entered. */
            key: string;
            type: components["schemas"]["PropertyType"];
            /** @description Used if a contact has no value for this property. */
            fallback_value: string | null;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        PropertyList: components["schemas"]["Page"] & {
            data: components["schemas"]["Property"][];
        };
        UpdatePropertyRequest: {
            /** @description A letter, then letters, digits, and `_`. Unique, ignoring case. */
            key?: string | null;
            /** @description Type of the values. It never changes. */
            type?: components["schemas"]["PropertyType"] | null;
            /** @description Used if a contact has no value. It must fit the type, and is stored as text. */
            fallback_value?: string | null;
        };
        CreateContactRequest: components["schemas"]["UpdateContactRequest"] & {
            /** @description An address without a display name, stored in lower case. It identifies the contact. */
            email: string;
        };
        UpdateContactRequest: {
            /** @description An address without a display name, stored in lower case. It identifies the contact. */
            email?: string | null;
            /** @description Null or an empty string clears it. */
            first_name?: string | null;
            /** @description Null or an empty string clears it. */
            last_name?: string | null;
            /** @description Id of the contact in your application. Does not have to be unique. Null or an empty string clears it. */
            user_id?: string | null;
            /** @description IANA time zone, such as `Europe/Berlin`. Null or an empty string clears it. */
            time_zone?: string | null;
            /** @description Applies to campaigns and automations. New contacts are subscribed. */
            unsubscribed?: boolean | null;
            /** @description Ids of lists. The contact is then in exactly these lists. */
            list_ids?: string[] | null;
            /** @description Values by property key, case-insensitive. `number`: a number or numeric string. `date`: ISO 8601, in UTC unless it has an offset. Null removes a value; omitted properties do not change. All values together: at most 100,000 bytes of text. */
            properties?: {
                [key: string]: string | number | null;
            } | null;
        };
        DeletedContact: {
            /** @constant */
            object: "contact";
            id: string;
            contact: string;
            /** @constant */
            deleted: true;
        };
        AddContactToListsRequest: {
            /** @description Ids of lists. The contact stays in its other lists. */
            list_ids: string[];
        };
        List: components["schemas"]["ListRef"] & {
            /** @description Number of contacts in the list. */
            contact_count: number;
        };
        ListList: components["schemas"]["Page"] & {
            data: components["schemas"]["List"][];
        };
        DeletedListMembership: {
            /** @constant */
            object: "contact_list";
            /** @description Id of the list. */
            id: string;
            /** @description Id of the contact. */
            contact: string;
            /** @constant */
            deleted: true;
        };
        SegmentMembership: {
            /** @constant */
            object: "contact_segment";
            id: string;
        };
        DeletedSegmentMembership: {
            /** @constant */
            object: "contact_segment";
            id: string;
            /** @description The same id. */
            audienceId: string;
            /** @constant */
            deleted: true;
        };
        CreateListRequest: {
            /** @description Name of the list. */
            name: string;
        };
        UpdateListRequest: {
            /** @description Name of the list. */
            name?: string | null;
        };
        SuppressAddressRequest: {
            /** @description An address without a display name, case-insensitive. */
            email: string;
        };
        Suppression: {
            /** @constant */
            object: "suppression";
            id: string;
            /** @description Address in lower case, with the domain in A-labels. */
            email: string;
            /**
             * @description `manual`: by a request. `bounce`, `complaint`: automatically. Null: unknown.
             * @enum {string|null}
             */
            reason: "manual" | "bounce" | "complaint" | null;
            /**
             * @description Alias of `reason`.
             * @enum {string|null}
             */
            origin: "manual" | "bounce" | "complaint" | null;
            /** @description Email that bounced or caused the complaint. */
            source_email_id: string | null;
            /** @description Alias of `source_email_id`. */
            source_id: string | null;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        SuppressAddressesRequest: {
            /** @description Addresses. Either all are processed or none. */
            emails: string[];
        };
        SuppressionsAdded: {
            /** @constant */
            object: "list";
            /** @description One suppression per address, in the order of the request. */
            data: components["schemas"]["Suppression"][];
        };
        RemoveSuppressionsRequest: {
            /** @description Addresses. Either all are processed or none. */
            emails?: string[] | null;
            /** @description Ids of suppressions, instead of `emails`. */
            ids?: string[] | null;
        };
        SuppressionsRemoved: {
            /** @constant */
            object: "list";
            /** @description Removed suppressions. */
            data: {
                /** @constant */
                object: "suppression";
                id: string;
                /** @description Address. */
                email: string;
                /** @constant */
                deleted: true;
            }[];
        };
        SuppressionList: components["schemas"]["Page"] & {
            data: components["schemas"]["Suppression"][];
        };
        UpdateSuppressionRequest: {
            /** @description New reason. Null: unknown. */
            reason?: "manual" | "bounce" | "complaint" | null;
        };
        CreateUnsubscriptionRequest: {
            /** @description Address, without a display name. */
            email: string;
            /** @description Id of the list. */
            list_id?: string | null;
            /** @description A topic of 1 to 100 characters, instead of `list_id`. */
            topic?: string | null;
        };
        Unsubscription: {
            /** @constant */
            object: "unsubscription";
            id: string;
            /** @description Address. */
            email: string;
            /** @description Id of the list, if any. */
            list_id: string | null;
            /** @description Topic, if any. */
            topic: string | null;
            /** @description `one_click`, `link` (the page), `mail` or `api`. */
            source: string;
            /** @description Email through which the person unsubscribed. */
            email_id: string | null;
            created_at: components["schemas"]["Time"];
        };
        UnsubscriptionList: components["schemas"]["Page"] & {
            data: components["schemas"]["Unsubscription"][];
        };
        ImportSummary: {
            /** @constant */
            object: "import";
            id: string;
            /**
             * @description Kind of records.
             * @enum {string}
             */
            kind: "contacts" | "suppressions";
            /** @description Whether rows are only checked. */
            dry_run: boolean;
            /**
             * @description `completed`: all rows were read, even if some failed. `failed`: the file could not be read to its end; see `reason`.
             * @enum {string}
             */
            status: "receiving" | "queued" | "running" | "completed" | "failed";
            /** @description Size of the file in UTF-8, or the bytes received so far. */
            bytes: number;
            /** @description Bytes imported. */
            bytes_done: number;
            /** @description Progress in percent. */
            progress: number;
            /** @description Rows read, without the header. */
            rows_read: number;
            /** @description New contacts or suppressions. */
            rows_created: number;
            /** @description Contacts updated. */
            rows_updated: number;
            /** @description Rows that changed nothing. */
            rows_unchanged: number;
            /** @description Rows skipped because of an error. */
            rows_failed: number;
            /** @description Why the import failed. */
            reason: string | null;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
            finished_at: components["schemas"]["TimeOrNull"];
        };
        ImportSummaryList: components["schemas"]["Page"] & {
            data: components["schemas"]["ImportSummary"][];
        };
        ImportError: {
            /** @constant */
            object: "import_error";
            id: string;
            /** @description Line on which the row starts, from 1. */
            line: number;
            /** @description Problem and its column. */
            message: string;
            /** @description Start of the cell at fault. */
            value: string | null;
        };
        Import: components["schemas"]["ImportSummary"] & {
            /** @description The first 100; `GET .../errors` lists the first 1,000. */
            errors: components["schemas"]["ImportError"][];
        };
        ImportErrorList: components["schemas"]["Page"] & {
            data: components["schemas"]["ImportError"][];
        };
        /** @description A CSV file (RFC 4180) in UTF-8. */
        ExportContactsResponse: string;
        /** @description A CSV file (RFC 4180) in UTF-8. */
        ExportSuppressionsResponse: string;
        ErasePersonRequest: {
            /** @description Suppresses the address even if it was not suppressed before. An existing suppression always remains. */
            keep_suppressed?: boolean | null;
        };
        Erasure: {
            /** @constant */
            object: "erasure";
            id: string;
            /**
             * @description `running`: Sendwright is removing data. `waiting`: only messages that others have yet to receive are left. `completed`: no data of the person is left.
             * @enum {string}
             */
            status: "running" | "waiting" | "completed";
            /** @description Emails erased so far. */
            emails: number;
            /** @description Emails that others have yet to receive. */
            waiting_emails: number;
            created_at: components["schemas"]["Time"];
            finished_at: components["schemas"]["TimeOrNull"];
        };
        ExportPersonResponse: {
            [key: string]: unknown;
        };
        /** @description Event types: those of `GET /events` except `email.received`. `*`, null, or absent: all. */
        WebhookEventTypes: string[] | null;
        CreateWebhookRequest: {
            /** @description An https URL without user name, password, or fragment. http only if private networks are allowed. */
            endpoint?: string | null;
            /** @description Alias of `endpoint`, which takes precedence. */
            url?: string | null;
            events?: components["schemas"]["WebhookEventTypes"];
            /** @description A note for your own use. */
            description?: string | null;
        };
        WebhookWithSecret: components["schemas"]["Webhook"] & {
            /** @description Signing key: `whsec_` and base64. Null for users whose role cannot change webhooks. */
            signing_secret: string | null;
        };
        Webhook: {
            /** @constant */
            object: "webhook";
            id: string;
            /** @description URL that receives the events. */
            endpoint: string;
            /** @description Alias of `endpoint`. */
            url: string;
            /** @description Event types that it receives. Null: all. */
            events: string[] | null;
            /** @description A note for your own use. */
            description: string | null;
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @description Why Sendwright disabled it. Null if a request did. */
            disabled_reason: string | null;
            disabled_at: components["schemas"]["TimeOrNull"];
            /** @description Since when all attempts have failed. After 5 days, Sendwright disables the webhook. */
            failing_since: components["schemas"]["Time"] | null;
            /** @description Until then, the previous secret signs as well. */
            previous_secret_until: components["schemas"]["Time"] | null;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        WebhookList: components["schemas"]["Page"] & {
            data: components["schemas"]["Webhook"][];
        };
        UpdateWebhookRequest: components["schemas"]["CreateWebhookRequest"] & {
            /**
             * @description A webhook that you enable receives the events from then on.
             * @enum {string|null}
             */
            status?: "enabled" | "disabled" | null;
        };
        TestWebhookRequest: {
            /** @description Event type. Default: the first type that the webhook receives. */
            type?: string | null;
        };
        WebhookDeliverySummary: {
            /** @constant */
            object: "webhook_delivery";
            id: string;
            webhook_id: string;
            /** @description Null for tests and calls by automations. */
            event_id: string | null;
            /** @description Type of the event. */
            type: string;
            /**
             * @description `waiting`: the next attempt is at `next_attempt_at`. `failed`: no attempts are left.
             * @enum {string}
             */
            status: "waiting" | "delivered" | "failed";
            /** @description Number of attempts. */
            attempt_count: number;
            /** @description Status of the last response. Null if there was none. */
            response_status: number | null;
            /** @description Duration of the last attempt, in milliseconds. */
            latency_ms: number | null;
            next_attempt_at: components["schemas"]["TimeOrNull"];
            /** @description Id of the newer delivery that replays this one. */
            replayed_as: string | null;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        ReplayWebhookEventsRequest: {
            /** @description Events at or after this ISO 8601 time. */
            since: string;
            /** @description Events before this ISO 8601 time. Default: now. */
            until?: string | null;
            /** @description Event types. Default: those that the webhook receives. */
            types?: string[] | null;
            /** @description Only events of failed deliveries that were not replayed singly or with `only_failed`. */
            only_failed?: boolean | null;
            /** @description The `cursor` of the previous response. */
            cursor?: string | null;
        };
        WebhookReplay: {
            /** @constant */
            object: "webhook_replay";
            webhook_id: string;
            /** @description Deliveries created. */
            count: number;
            /** @description Whether more events may follow. If so, repeat the request with `cursor`. */
            has_more: boolean;
            /** @description Continues the replay. Null: it is complete. */
            cursor: string | null;
        };
        WebhookDeliverySummaryList: components["schemas"]["Page"] & {
            data: components["schemas"]["WebhookDeliverySummary"][];
        };
        WebhookDelivery: components["schemas"]["WebhookDeliverySummary"] & {
            request: {
                /** @constant */
                method: "POST";
                /** @description Current URL of the webhook. */
                url: string;
                /** @description Headers without the signature and timestamp, which differ in each attempt. */
                headers: {
                    /** @description Always JSON. */
                    "content-type": string;
                    /** @description The same in every replay. */
                    "webhook-id": string;
                };
                /** @description Body as sent. Null if the event is no longer stored. */
                body: string | null;
            };
            /** @description Last response. Null if there is none yet. */
            response: {
                /** @description Status of the response. */
                status: number | null;
                /** @description Start of the body, at most 4 KB. */
                body: string | null;
            } | null;
            /** @description Oldest first. */
            attempts: {
                at: components["schemas"]["Time"];
                /** @description Status of the response. Null if there was none. */
                status: number | null;
                /** @description Duration in milliseconds. */
                latency_ms: number;
                /** @description Why the attempt failed. */
                error: string | null;
            }[];
        };
        Mailbox: {
            /** @description Display name. Empty if there is none. */
            name: string;
            /** @description Address. */
            address: string;
        };
        CapturedEmailSummary: {
            /** @constant */
            object: "captured";
            id: string;
            email_id: string | null;
            /** @description Return path from MAIL FROM. */
            envelope_from: string;
            /** @description Recipient from RCPT TO. */
            envelope_to: string;
            from: components["schemas"]["Mailbox"][];
            to: components["schemas"]["Mailbox"][];
            /** @description Subject. */
            subject: string | null;
            received_at: components["schemas"]["Time"];
        };
        CapturedEmailSummaryList: components["schemas"]["Page"] & {
            data: components["schemas"]["CapturedEmailSummary"][];
        };
        CapturedEmail: components["schemas"]["CapturedEmailSummary"] & {
            cc: components["schemas"]["Mailbox"][];
            reply_to: components["schemas"]["Mailbox"][];
            /** @description Null if there is none. */
            html: string | null;
            /** @description Null if there is none. */
            text: string | null;
            headers: {
                /** @description Name of the field, as written. */
                name: string;
                /** @description Value of the field, unfolded but not decoded. */
                value: string;
            }[];
            attachments: {
                /** @description File name in the message. */
                filename: string | null;
                /** @description Media type. */
                content_type: string;
                /** @description Id of an inline image. */
                content_id: string | null;
                /** @description Size in bytes. */
                size: number;
                /** @description Base64. */
                content: string;
            }[];
            /** @description Message as it would be sent. Each character is one byte (Latin-1). */
            raw: string;
        };
        DeleteCapturedEmailsResponse: {
            /** @constant */
            object: "captured";
            /** @constant */
            deleted: true;
            /** @description Number of deleted messages. */
            count: number;
        };
        EmailCounts: {
            /** @description Accepted emails with a recipient that was not suppressed on acceptance. */
            emails: number;
            /** @description Recipients of these emails. */
            accepted: number;
            /** @description Emails queued on acceptance or at their scheduled time. */
            queued: number;
            /** @description Emails scheduled or rescheduled. */
            scheduled: number;
            /** @description Scheduled emails canceled. */
            canceled: number;
            /** @description Recipients with a result: `sent`, `delivered`, `bounced`, `failed`, or `rejected`, except those of a later DSN. */
            attempted: number;
            /** @description Recipients accepted by a relay. */
            sent: number;
            /** @description Recipients accepted by their server. */
            delivered: number;
            /** @description Deferred attempts. */
            delivery_delayed: number;
            /** @description Recipients permanently rejected. */
            bounced: number;
            /** @description Bounces caused by the address itself. */
            bounced_hard: number;
            /** @description Recipients not delivered within the lifetime, or because of a fault of Sendwright. */
            failed: number;
            /** @description Recipients rejected because of the content. */
            rejected: number;
            /** @description Recipients skipped as suppressed. */
            suppressed: number;
            /** @description Recipients who reported spam. */
            complained: number;
            /** @description Opens by people. */
            opened: number;
            /** @description Recipients at their first open. */
            opened_unique: number;
            /** @description Opens by proxies and scanners. */
            opened_machine: number;
            /** @description Clicks by people. */
            clicked: number;
            /** @description Recipients at their first click. */
            clicked_unique: number;
            /** @description Clicks by scanners. */
            clicked_machine: number;
        };
        EmailRates: {
            /** @description Delivered and not bounced, per attempted recipient. Null: no recipients. */
            delivered: number | null;
            /** @description Bounces per attempted recipient. Null: no recipients. */
            bounced: number | null;
            /** @description Complaints per delivered recipient. Null: no recipients. */
            complained: number | null;
            /** @description Recipients who opened, per delivered recipient. Null: no recipients. */
            opened: number | null;
            /** @description Recipients who clicked, per delivered recipient. Null: no recipients. */
            clicked: number | null;
        };
        /** @description Time from acceptance or the scheduled time to delivery. Accurate to 5 %. Null: no deliveries. */
        DeliveryTimes: {
            /** @description Median. */
            p50: number | null;
            /** @description 90th percentile. */
            p90: number | null;
            /** @description 95th percentile. */
            p95: number | null;
            /** @description 99th percentile. */
            p99: number | null;
        };
        EmailMetrics: {
            /** @constant */
            object: "metrics";
            /** @enum {string} */
            interval: "hour" | "day";
            /** @description The time zone of the days. */
            time_zone: string;
            /** @description Start of the first hour or day. */
            start_date: components["schemas"]["Time"];
            /** @description End of the last hour or day. */
            end_date: components["schemas"]["Time"];
            /** @description Everything before this time is counted. Null: nothing counted yet. */
            as_of: components["schemas"]["TimeOrNull"];
            totals: components["schemas"]["EmailCounts"];
            rates: components["schemas"]["EmailRates"];
            time_to_deliver_ms: components["schemas"]["DeliveryTimes"];
            series: {
                /** @description Start of the hour or day. */
                at: components["schemas"]["Time"];
                counts: components["schemas"]["EmailCounts"];
                rates: components["schemas"]["EmailRates"];
                time_to_deliver_ms: components["schemas"]["DeliveryTimes"];
            }[];
            /** @enum {string|null} */
            group_by: "domain" | "tag" | "template" | "sender" | "provider" | "reason" | null;
            /** @description Totals of the period by `group_by`, largest first. */
            groups: {
                /** @description Id of a domain or template, `name:value` of a tag (with %3A for a colon and %25 for a percent sign in the name), address of a sender, a provider, or a category; `*` for all others. */
                key: string;
                /** @description Name of the domain or template. Null if deleted, and for other groups. */
                name: string | null;
                counts: components["schemas"]["EmailCounts"];
                rates: components["schemas"]["EmailRates"];
                time_to_deliver_ms: components["schemas"]["DeliveryTimes"];
            }[];
        };
        Alert: {
            /** @constant */
            object: "attention_item";
            /**
             * @description Kind of alert.
             * @enum {string}
             */
            kind: "sending_paused" | "campaign_paused" | "automation_paused" | "automation_failing" | "quota_month" | "quota_day" | "domain_unverified" | "domain_failing" | "site_paused" | "webhook_disabled" | "webhook_failing" | "email_waiting" | "bounce_rate" | "complaint_rate" | "api_key_expiring";
            /**
             * @description `critical`: mail or events are delayed or rejected, or soon will be.
             * @enum {string}
             */
            severity: "info" | "warning" | "critical";
            /** @description Explanation and what to do, for people. */
            message: string;
            /** @description Record concerned. Null: the whole team. */
            subject: {
                /** @description `domain`, `webhook`, `email`, `campaign`, `automation`, `api_key`, or `site` (that mail waits for). */
                type: string;
                /** @description Id of the subject, if it has one. */
                id: string | null;
                /** @description Name of the subject: a name, URL, subject line, or recipient domain. */
                name: string;
            } | null;
            /** @description When the problem started, if known. */
            since: components["schemas"]["TimeOrNull"];
        };
        AlertList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Alert"][];
        };
        /**
         * @description `direct`: to the MX hosts of the recipients. `relay`: to a relay. `capture`: messages are stored and not sent.
         * @enum {string}
         */
        DeliveryMode: "capture" | "direct" | "relay";
        GoLive: {
            /** @constant */
            object: "go_live";
            delivery: components["schemas"]["DeliveryMode"];
            /** @description The domain that is closest to sending. Null: the team has none. */
            domain: {
                id: string;
                /** @description The domain. */
                name: string;
                /** @enum {string} */
                status: "pending" | "verified" | "failed" | "temporary_failure";
                /** @description Whether only capture mode verified it. */
                captured: boolean;
            } | null;
            /** @description The newest of the last 500 emails that an outside mail server accepted, or else that was attempted there. */
            email: {
                id: string;
                /** @description Its first recipient. */
                recipient: string;
                /** @description `delivered` or `sent`, or the status of the newest attempt. */
                status: string;
                /** @description The mail server. */
                host: string | null;
                /** @description Its last reply. */
                response: string | null;
                updated_at: components["schemas"]["Time"];
            } | null;
            /**
             * @description Most severe result of the server checks. Null: not checked.
             * @enum {string|null}
             */
            server: "ok" | "note" | "warning" | "problem" | null;
        };
        /** @description Accepted `emails` by status; the statuses add up. `in_progress`: `queued`, `delivery_delayed`, or `scheduled`. `opened`, `clicked`, and `complained` count emails with at least one. */
        EmailOutcomes: {
            /** @description Accepted emails. */
            emails: number;
            /** @description Delivered. */
            delivered: number;
            /** @description Accepted by a relay. */
            sent: number;
            /** @description With different results. */
            partially_delivered: number;
            /** @description Bounced. */
            bounced: number;
            /** @description Failed. */
            failed: number;
            /** @description Rejected. */
            rejected: number;
            /** @description Suppressed. */
            suppressed: number;
            /** @description Canceled. */
            canceled: number;
            /** @description Without a result. */
            in_progress: number;
            /** @description Opened by people. */
            opened: number;
            /** @description Clicked by people. */
            clicked: number;
            /** @description Reported as spam. */
            complained: number;
        };
        UsagePeriod: {
            /** @description Recipients in to, cc, and bcc. */
            used: number;
            /** @description Null: no limit. */
            limit: number | null;
            /** @description Null: no limit. */
            remaining: number | null;
            resets_at: components["schemas"]["Time"];
        };
        Summary: {
            /** @constant */
            object: "summary";
            /** @enum {string} */
            interval: "hour" | "day";
            /** @description Time zone of the days. */
            time_zone: string;
            start_date: components["schemas"]["Time"];
            end_date: components["schemas"]["Time"];
            as_of: components["schemas"]["TimeOrNull"];
            outcomes: components["schemas"]["EmailOutcomes"];
            series: {
                at: components["schemas"]["Time"];
                outcomes: components["schemas"]["EmailOutcomes"];
            }[];
            /** @description The previous period, cut off at the same number of whole hours. `compared`: this one, likewise. */
            before: {
                start_date: components["schemas"]["Time"];
                end_date: components["schemas"]["Time"];
                outcomes: components["schemas"]["EmailOutcomes"];
                compared: components["schemas"]["EmailOutcomes"];
            };
            time_to_deliver_ms: components["schemas"]["DeliveryTimes"];
            /** @description Emails of all times that wait, up to 10,000 of each status. */
            waiting: {
                /** @description Emails with this status. */
                queued: number;
                /** @description Emails with this status. */
                delivery_delayed: number;
                /** @description Emails with this status. */
                scheduled: number;
                longest_deferred: {
                    id: string;
                    created_at: components["schemas"]["Time"];
                } | null;
            };
            usage: {
                month: components["schemas"]["UsagePeriod"];
                day: components["schemas"]["UsagePeriod"];
            };
            alerts: components["schemas"]["Alert"][];
        };
        Usage: {
            /** @constant */
            object: "usage";
            /** @enum {string} */
            plan: "free" | "10k" | "25k" | "50k" | "75k" | "100k" | "150k" | "250k" | "500k" | "750k" | "1m" | "2m" | "5m" | "unlimited";
            /** @description Whether sending is paused. New emails are then rejected. */
            sending_paused: boolean;
            sending_paused_at: components["schemas"]["TimeOrNull"];
            /**
             * @description `reputation`: Sendwright, because of too many bounces or complaints. Null: sending is not paused.
             * @enum {string|null}
             */
            sending_paused_by: "operator" | "reputation" | null;
            /** @description Why sending is paused, for people. */
            sending_paused_reason: string | null;
            /** @description Limit of `POST /emails` and its variants. */
            requests_per_minute: number;
            /** @description Rate limit of `POST /emails` and its variants, across all processes. */
            rate_limit: {
                /** @description Requests allowed per minute. */
                limit: number;
                /** @description Requests in the current minute. */
                used: number;
                /** @description Requests left in the current minute. */
                remaining: number;
                /** @description When the current minute ends. Null: the next request starts one. */
                resets_at: components["schemas"]["TimeOrNull"];
            };
            /** @description Accepted emails, regardless of their number of recipients. */
            emails_this_month: number;
            month: components["schemas"]["UsagePeriod"];
            day: components["schemas"]["UsagePeriod"];
            /** @description Months with accepted emails, newest first; at most 24. */
            months: {
                /** @description Month in UTC, such as `2026-01`. */
                month: string;
                /** @description Recipients that counted against the quota. */
                recipients: number;
                /** @description Accepted emails. */
                emails: number;
            }[];
        };
        AuditEntry: {
            /** @constant */
            object: "audit_entry";
            id: string;
            actor: {
                /** @description `key`: an API key. `user`: a person. `operator`: the command line. */
                type: string;
                /** @description Id of the key or user. */
                id: string | null;
                /** @description Name of the key or user. Null if it was deleted. */
                name: string | null;
            };
            /** @description Action: `templates.publish`, `api-keys.create`, ... */
            action: string;
            /** @description Id of the changed record. Null if there were several. */
            target_id: string | null;
            /** @description Names of the fields in the request. Values are not stored. */
            fields: string[];
            /** @description IP address of the client. */
            ip_address: string | null;
            /** @description User agent of the client. */
            user_agent: string | null;
            /** @description The `x-request-id` of the response. */
            request_id: string | null;
            created_at: components["schemas"]["Time"];
        };
        AuditEntryList: components["schemas"]["Page"] & {
            data: components["schemas"]["AuditEntry"][];
        };
        LoggedError: {
            /** @description HTTP status. */
            statusCode: number;
            /** @description Name of the error. */
            name: string;
            /** @description Message of the error. */
            message: string;
            /** @description Messages by field. */
            errors?: {
                [key: string]: string[];
            };
        };
        Log: {
            /** @constant */
            object: "log";
            /** @description The `x-request-id` of the response. */
            id: string;
            created_at: components["schemas"]["Time"];
            /** @description HTTP method. */
            method: string;
            /** @description Path, with ids; `*` or a name in braces replaces other values. */
            endpoint: string;
            /** @description Path as in this document, such as `/emails/{id}`. Null if unknown. */
            route: string | null;
            /** @description HTTP status. */
            response_status: number;
            /** @description Milliseconds until the response was sent. */
            duration_ms: number;
            /** @description Bytes of the request body. */
            request_size: number | null;
            /** @description Bytes of the response body. */
            response_size: number | null;
            /** @description User agent of the client. */
            user_agent: string | null;
            /** @description IP address of the client. */
            ip_address: string | null;
            api_key: {
                id: string;
                /** @description Name of the key. */
                name: string | null;
            };
            /** @description Record that a POST created, such as an email. */
            record_id: string | null;
            /** @description Always null: request bodies are not stored. */
            request_body: null;
            /** @description The error, without email addresses; otherwise null. */
            response_body: components["schemas"]["LoggedError"] | null;
        };
        LogList: components["schemas"]["Page"] & {
            data: components["schemas"]["Log"][];
        };
        Event: {
            /** @constant */
            object: "event";
            id: string;
            type: components["schemas"]["EventType"];
            created_at: components["schemas"]["Time"];
            /** @description The subject and the details. The fields depend on the type. */
            data: {
                [key: string]: unknown;
            };
        };
        EventPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Event"][];
            /** @description Whether more events follow. If so, continue from `next_cursor` immediately. */
            has_more: boolean;
            /** @description The `after` of the next request, even if this page is empty. */
            next_cursor: string;
        };
        RetentionPeriods: {
            /** @description HTML, text, headers, attachments, raw messages, and captured messages. */
            content: string;
            /** @description Attempts with their SMTP transcripts. */
            attempts: string;
            /** @description The event feed and the events of emails; at least 7 days. */
            events: string;
            /** @description Webhook deliveries with requests and responses. */
            webhook_deliveries: string;
        };
        Retention: components["schemas"]["RetentionPeriods"] & {
            /** @constant */
            object: "retention";
            /** @description Emails with their recipients: the longest of the other periods. */
            emails: string;
            /** @description The longest periods that the operator allows. */
            limits: components["schemas"]["RetentionPeriods"];
        };
        UpdateRetentionRequest: {
            /** @description HTML, text, headers, attachments, raw messages, and captured messages. Null: as in `limits`. */
            content?: string | null;
            /** @description Attempts with their SMTP transcripts. Null: as in `limits`. */
            attempts?: string | null;
            /** @description The event feed and the events of emails; at least 7 days. Null: as in `limits`. */
            events?: string | null;
            /** @description Webhook deliveries with requests and responses. Null: as in `limits`. */
            webhook_deliveries?: string | null;
        };
        /**
         * @description Sets what the person may do in the team.
         * @enum {string}
         */
        Role: "owner" | "admin" | "member" | "viewer";
        /** @description Address of the person. */
        PersonAddress: string;
        SentInvitation: components["schemas"]["Invitation"] & {
            /** @description Whether Sendwright emails the link. If not, pass it on yourself. */
            emailed: boolean;
            /** @description Whether the server printed the link to its terminal and log instead, as in capture mode. */
            printed: boolean;
            /** @description Works once, within an hour. Returned only in this response. */
            link: string;
        };
        Invitation: {
            /** @constant */
            object: "invitation";
            id: string;
            /** @description Address of the invited person. */
            email: string;
            role: components["schemas"]["Role"];
            /**
             * @description `expired`: the link no longer works. Resend the invitation.
             * @enum {string}
             */
            status: "pending" | "expired";
            expires_at: components["schemas"]["Time"];
            created_at: components["schemas"]["Time"];
        };
        /**
         * @description A plan in `GET /operator/plans`.
         * @enum {string}
         */
        PlanName: "free" | "10k" | "25k" | "50k" | "75k" | "100k" | "150k" | "250k" | "500k" | "750k" | "1m" | "2m" | "5m" | "unlimited";
        OperatorTeam: {
            /** @constant */
            object: "operator_team";
            id: string;
            /** @description Name of the team. */
            name: string;
            plan: components["schemas"]["PlanName"];
            /** @description Number of members, counted up to 1,000. */
            members: number;
            /** @description The current calendar month (UTC). */
            month: {
                /** @description Recipients in to, cc, and bcc. */
                used: number;
                /** @description Limit of the plan. Null: no limit. */
                limit: number | null;
            };
            /** @description The current calendar day (UTC). */
            day: {
                /** @description Recipients in to, cc, and bcc. */
                used: number;
                /** @description Limit of the plan. Null: no limit. */
                limit: number | null;
            };
            /** @description Accepted emails, regardless of their number of recipients. */
            emails_this_month: number;
            /** @description Null: sending is not paused. */
            sending_paused_at: components["schemas"]["TimeOrNull"];
            /**
             * @description `operator`, or `reputation` (automatic).
             * @enum {string|null}
             */
            sending_paused_by: "operator" | "reputation" | null;
            /** @description Why sending is paused, for people. */
            sending_paused_reason: string | null;
            /** @description Until then Sendwright does not pause the team automatically, because an operator resumed it. */
            guard_until: components["schemas"]["TimeOrNull"];
            created_at: components["schemas"]["Time"];
        };
        ListTeamsResponse: {
            /** @constant */
            object: "list";
            /** @description Whether more records follow. */
            has_more: boolean;
            data: components["schemas"]["OperatorTeam"][];
        };
        CreateTeamRequest: {
            /** @description Name of the team. */
            name: string;
            /** @description A plan in `GET /operator/plans`. */
            plan?: components["schemas"]["PlanName"] | null;
        };
        UpdateOperatorTeamRequest: {
            /** @description Name of the team. */
            name?: string | null;
            /** @description A plan in `GET /operator/plans`. */
            plan?: components["schemas"]["PlanName"] | null;
        };
        PauseTeamRequest: {
            /** @description Reason. Members of the team see it. */
            reason: string;
        };
        InviteToTeamRequest: {
            email: components["schemas"]["PersonAddress"];
            role: components["schemas"]["Role"];
        };
        Plan: {
            /** @constant */
            object: "plan";
            /** @description The `plan` of teams. */
            id: string;
            /** @description Name of the plan. */
            name: string;
            /** @description Recipients per calendar month (UTC). Null: no limit. */
            month_recipients: number | null;
            /** @description Recipients per calendar day (UTC). Null: no limit. */
            day_recipients: number | null;
            /** @description Requests per minute to `POST /emails` and its variants. */
            send_requests_per_minute: number;
            /** @description Other requests per minute with API keys. */
            requests_per_minute: number;
        };
        PlanList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Plan"][];
        };
        Queue: {
            /** @constant */
            object: "queue";
            /** @description Time of the counts. */
            as_of: components["schemas"]["Time"];
            /** @description Deliveries that are due. */
            ready: number;
            /** @description Deliveries leased by a process. */
            leased: number;
            /** @description Deliveries that wait for a retry or a site. */
            delayed: number;
            /** @description Deliveries that wait for their scheduled time. */
            scheduled: number;
            /** @description Limit of `ready`, and of the other three counts together. */
            counted_up_to: number;
            /** @description Age of the oldest ready delivery. */
            oldest_ready_seconds: number;
            /** @description When the next waiting delivery is due. */
            next_due_at: components["schemas"]["TimeOrNull"];
            /** @description The 20 teams with the most deliveries. */
            by_team: {
                team_id: string;
                /** @description Name of the team. */
                name: string | null;
                /** @description Deliveries that are due. In a very deep queue, only a part is counted. */
                ready: number;
                /** @description Leased, delayed, and scheduled deliveries, among the 10,000 that are due first. */
                waiting: number;
                /** @description When the oldest one became due. */
                oldest_ready_at: components["schemas"]["TimeOrNull"];
            }[];
            /** @description The 20 domains with the most deliveries. */
            by_destination: {
                /** @description Domain of the recipients. */
                domain: string;
                /** @description Deliveries that are due. In a very deep queue, only a part is counted. */
                ready: number;
                /** @description Leased, delayed, and scheduled deliveries, among the 10,000 that are due first. */
                waiting: number;
                /** @description When the oldest one became due. */
                oldest_ready_at: components["schemas"]["TimeOrNull"];
            }[];
            /** @description The 20 paused sites with the most waiting deliveries. */
            by_site: {
                /** @description Name of the site in `GET /sites`. */
                name: string;
                /** @description Deliveries that wait for the site, counted up to 500. */
                waiting: number;
                paused_until: components["schemas"]["Time"];
                /** @description Why the site is paused. */
                reason: string;
            }[];
        };
        Site: {
            /** @constant */
            object: "site";
            /** @description Identifies the site: MX set, TLS class, and source. */
            name: string;
            /** @description MX set, or `relay:host:port`. */
            site: string;
            /** @description Source address of the connections. */
            source: string;
            /** @description Required TLS verification. `opportunistic`: none. */
            tls: string;
            /** @description Whether it is a relay. */
            relay: boolean;
            /** @enum {string} */
            state: "open" | "paused" | "probing" | "stopped";
            /** @description Why the site is not open: an SMTP reply, or the reason given by an operator. */
            reason: string | null;
            /** @description Reason as an identifier. */
            category: string | null;
            /** @description Consecutive failures. */
            failures: number;
            paused_until: components["schemas"]["TimeOrNull"];
            /** @description Open connections of all processes. */
            connections: number;
            /** @description Current limit of connections for all processes. */
            connections_limit: number;
            /** @description Maximum connections per process. */
            connections_max: number;
            /** @description Messages before a connection is closed. */
            messages_per_connection: number;
            /** @description Messages per period and process, such as `100/1m`. Null: no limit. */
            rate: string | null;
            /** @description Deliveries in memory that wait for the site. More can wait in the database. */
            waiting: number;
            /** @description The matching shaping rules, in order. */
            rules: string;
            /** @description Number of processes that deliver to it. */
            processes: number;
        };
        ListSitesResponse: {
            /** @constant */
            object: "list";
            /** @description Whether more records follow. */
            has_more: boolean;
            data: components["schemas"]["Site"][];
        };
        PauseSiteRequest: {
            /** @description Length of the pause, at most 30 days. */
            minutes: number;
            /** @description Reason. Teams whose mail waits see it. */
            reason: string;
        };
        PauseSiteResponse: {
            /** @constant */
            object: "site";
            /** @description Name of the site. */
            name: string;
            paused_until: components["schemas"]["Time"];
        };
        ResumeSiteResponse: {
            /** @constant */
            object: "site";
            /** @description Name of the site. */
            name: string;
            /** @constant */
            resumed: true;
        };
        ShapingRule: {
            /** @description Name of the rule, as in `rules` of a site. */
            name: string;
            /**
             * @description `file`: from the rules file.
             * @enum {string}
             */
            source: "built_in" | "file";
            match: {
                /** @description Suffixes of MX host names. Null: any. */
                mx: string[] | null;
                /** @description Recipient domains. Null: any. */
                domain: string[] | null;
            };
            /** @description Maximum connections per process. Null: the next matching rule decides. */
            connections_max: number | null;
            /** @description Initial number of connections. */
            connections_start: number | null;
            /** @description Messages before a connection is closed. */
            messages_per_connection: number | null;
            /** @description Messages per period, such as `100/1m`. */
            rate: string | null;
            replies: {
                /** @description Regular expression for the reply. */
                pattern: string;
                /** @description Stage of the SMTP session. Null: any. */
                stage: string | null;
                /** @description Reply code. Null: any. */
                code: number | null;
                /** @enum {string} */
                action: "slow_down" | "pause" | "stop";
                /** @description Duration. Null: as in the reply, or the default. */
                for_seconds: number | null;
            }[];
        };
        Shaping: {
            /** @constant */
            object: "shaping";
            /** @description `SENDWRIGHT_RULES_FILE`. Null: only the built-in rules. */
            file: string | null;
            /** @description When the rules took effect. Null: this process does not deliver, and shows the current file. */
            loaded_at: components["schemas"]["TimeOrNull"];
            /** @description Set if the file was invalid when last read. The previous rules then remain. */
            failure: {
                at: components["schemas"]["Time"];
                /** @description Errors in the file and their positions. */
                message: string;
            } | null;
            /** @description Successive pauses of an unreachable site. The last one repeats. */
            probes_seconds: number[];
            /** @description In order. For each setting, the first matching rule that has it applies. */
            rules: components["schemas"]["ShapingRule"][];
        };
        Node: {
            /** @constant */
            object: "node";
            id: string;
            /** @description Host name of the machine. */
            host: string;
            /** @description Process id on the machine. */
            process_id: number;
            roles: ("api" | "deliver" | "inbound" | "webhooks" | "scheduler")[];
            /** @description Version of Sendwright. */
            version: string;
            /**
             * @description `silent`: no report for 15 seconds.
             * @enum {string}
             */
            state: "up" | "silent";
            started_at: components["schemas"]["Time"];
            last_seen_at: components["schemas"]["Time"];
            /** @description Deliveries in memory. Null: it does not deliver. */
            deliveries_held: number | null;
            /** @description Sites that it delivers to. */
            sites: number;
            /** @description Open connections to these sites. */
            connections: number;
            /** @description Memory of the process, without PostgreSQL. */
            memory_bytes: number;
        };
        NodeList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Node"][];
        };
        /** @description Only the kind if the database is unreachable. */
        DatabaseHealth: {
            /** @constant */
            reachable: true;
            /**
             * @description `external`: configured by `DATABASE_URL`.
             * @enum {string}
             */
            kind: "embedded" | "external";
            /** @description Version of PostgreSQL. */
            version: string;
            /** @description Size of the database on disk. */
            size_bytes: number;
            /** @description Whether the server is a standby or in crash recovery. */
            in_recovery: boolean;
            /** @description Open connections of all clients. */
            connections: number;
            /** @description Connection limit of the server. */
            connections_max: number;
            replicas: {
                /** @description Name of the replica. */
                name: string;
                /** @description `streaming` if healthy. Null: the database user cannot see it. */
                state: string | null;
                /** @description Bytes of WAL not applied yet. */
                lag_bytes: number | null;
            }[];
        } | {
            /** @constant */
            reachable: false;
            /** @enum {string} */
            kind: "embedded" | "external";
        };
        InstallationHealth: {
            /** @constant */
            object: "health";
            /** @description Time of the checks. */
            as_of: components["schemas"]["Time"];
            /** @description Version of Sendwright. */
            version: string;
            /**
             * @description The most severe level of the findings.
             * @enum {string}
             */
            status: "ok" | "warning" | "problem";
            delivery: components["schemas"]["DeliveryMode"];
            database: components["schemas"]["DatabaseHealth"];
            /** @description Disk of the data directory. Null if it cannot be read. */
            disk: {
                /** @description Bytes available to Sendwright. */
                free_bytes: number;
                /** @description Size of the disk. */
                total_bytes: number;
            } | null;
            /** @description Null if the database is unreachable. */
            queue: {
                /** @description Age of the oldest ready delivery. */
                oldest_ready_seconds: number;
                /** @description Age above which `GET /readyz` fails. Null: no limit. */
                oldest_ready_seconds_max: number | null;
            } | null;
            /** @description Expiry of `SENDWRIGHT_TLS_CERT`, or the first expiry by ACME, if any. */
            certificate_expires_at: components["schemas"]["TimeOrNull"];
            /** @description Last run of `sendwright backup`. Null if there was none. */
            last_backup: {
                made_at: components["schemas"]["Time"];
                /** @description Rows written. */
                rows: number;
                /** @description Size of the rows before compression. */
                bytes: number;
            } | null;
            findings: {
                /** @description What was checked. */
                check: string;
                /** @enum {string} */
                level: "ok" | "note" | "warning" | "problem";
                /** @description Result. */
                found: string;
                /** @description Recommended action. */
                advice: string | null;
            }[];
        };
        AdvisedRecord: {
            /** @enum {string} */
            type: "A" | "AAAA" | "MX" | "TXT" | "PTR";
            /** @description The name. For `PTR`, the address. */
            name: string;
            /** @description Value to publish. */
            value: string;
        };
        ServerChecks: {
            /** @constant */
            object: "server_checks";
            /**
             * @description `interrupted`: the process that ran the checks stopped.
             * @enum {string}
             */
            state: "never" | "running" | "interrupted" | "done";
            delivery: components["schemas"]["DeliveryMode"];
            /** @description `SENDWRIGHT_HOSTNAME`. */
            hostname: string;
            started_at: components["schemas"]["TimeOrNull"];
            checked_at: components["schemas"]["TimeOrNull"];
            /** @description Earliest start of the next run. */
            next_at: components["schemas"]["TimeOrNull"];
            findings: {
                /** @enum {string} */
                step: "hostname" | "public_url" | "reverse_dns" | "spf" | "outbound_port" | "bounce_host" | "inbound_port";
                /** @description What was checked. */
                check: string;
                /** @enum {string} */
                level: "ok" | "note" | "warning" | "problem";
                /** @description Result. */
                found: string;
                /** @description Recommended action. */
                advice: string | null;
                /** @description The record that corrects it, if known. */
                record: components["schemas"]["AdvisedRecord"] | null;
            }[];
        };
        EmailEventData: {
            email_id: string;
            message_id?: string;
            from?: string;
            to?: string[];
            subject?: string;
            /** @description When the email was accepted. */
            created_at?: string;
            tags?: {
                [key: string]: string;
            };
            template_id?: string | null;
        };
        WebhookEvent: {
            type: string;
            created_at: components["schemas"]["Time"];
            data: Record<string, unknown>;
        };
        EmailQueuedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.queued";
            data?: components["schemas"]["EmailEventData"];
        };
        EmailScheduledEventData: components["schemas"]["EmailEventData"] & {
            /** @description Time at which the email will be sent. */
            scheduled_at?: string;
        };
        EmailScheduledEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.scheduled";
            data?: components["schemas"]["EmailScheduledEventData"];
        };
        EmailReplyEventData: components["schemas"]["EmailEventData"] & {
            /** @description Address of the recipient. */
            recipient: string;
            /** @description Text of the SMTP reply, or the reason why there was none. */
            response?: string;
            /** @description SMTP reply code. */
            smtp_code?: number;
            /** @description Enhanced status code (RFC 3463). */
            enhanced_code?: string;
            /** @description Server that sent the reply. */
            mx_host?: string;
            /** @description `notice` if a DSN reported the result. Absent if the SMTP reply did. */
            source?: string;
            /** @description Address in the DSN, if it differs from the recipient (forwarding). */
            notice_recipient?: string;
        };
        EmailSentEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.sent";
            data?: components["schemas"]["EmailReplyEventData"];
        };
        EmailDeliveredEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.delivered";
            data?: components["schemas"]["EmailReplyEventData"];
        };
        EmailDeliveryDelayedEventData: components["schemas"]["EmailReasonEventData"] & {
            /** @description Time of the next attempt. Absent if another server retries. */
            next_attempt_at?: string;
        };
        EmailDeliveryDelayedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.delivery_delayed";
            data?: components["schemas"]["EmailDeliveryDelayedEventData"];
        };
        EmailBouncedEventData: components["schemas"]["EmailReasonEventData"] & {
            /** @description The same data in the format of other services. */
            bounce: {
                /** @description `Permanent` or `Transient`. */
                type: string;
                /** @description `General`, `MailboxFull` or `MessageTooLarge`. */
                subType: string;
                /** @description SMTP reply. */
                message: string;
            };
        };
        EmailBouncedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.bounced";
            data?: components["schemas"]["EmailBouncedEventData"];
        };
        EmailFailedEventData: components["schemas"]["EmailReasonEventData"] & {
            /** @description The same data in the format of other services. */
            failed: {
                /** @description Last reply, or the reason why there was none. */
                reason: string;
            };
        };
        EmailFailedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.failed";
            data?: components["schemas"]["EmailFailedEventData"];
        };
        EmailReasonEventData: components["schemas"]["EmailReplyEventData"] & {
            /** @description Reason as an identifier: `no_such_address`, `mailbox_full`, `policy`, ... */
            category?: string;
            /** @description Explanation and recommended action, for people. */
            advice?: string;
        };
        EmailRejectedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.rejected";
            data?: components["schemas"]["EmailReasonEventData"];
        };
        EmailSuppressedEventData: components["schemas"]["EmailReasonEventData"] & {
            /** @description The same data in the format of other services. */
            suppressed: {
                /** @description Always `OnAccountSuppressionList`. */
                type: string;
                /** @description Human-readable reason. */
                message: string;
            };
        };
        EmailSuppressedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.suppressed";
            data?: components["schemas"]["EmailSuppressedEventData"];
        };
        EmailCanceledEventData: components["schemas"]["EmailEventData"] & {
            /** @description Canceled recipient. Absent if the email was canceled for all recipients. */
            recipient?: string;
        };
        EmailCanceledEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.canceled";
            data?: components["schemas"]["EmailCanceledEventData"];
        };
        EmailComplainedEventData: components["schemas"]["EmailEventData"] & {
            /** @description Address of the recipient. */
            recipient: string;
            /** @description Type of complaint (RFC 5965): `abuse`, `fraud`, ... */
            feedback?: string;
            /** @description `notice`: reported by a feedback loop. */
            source?: string;
        };
        EmailComplainedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.complained";
            data?: components["schemas"]["EmailComplainedEventData"];
        };
        EmailVisitEventData: components["schemas"]["EmailEventData"] & {
            /** @description Null if the email had several recipients, because all got the same message. */
            recipient: string | null;
            /** @description IP address of the visitor. */
            ip_address: string;
            /** @description User agent of the visitor. */
            user_agent: string | null;
            /** @description True for a proxy or scanner, false for a person. */
            is_machine: boolean;
            /** @description Why the visit was classified as a machine. Null for people. */
            machine_reason: string | null;
        };
        EmailOpenedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.opened";
            data?: components["schemas"]["EmailVisitEventData"];
        };
        EmailClickedEventData: components["schemas"]["EmailVisitEventData"] & {
            /** @description URL of the link. */
            link: string;
            /** @description The same data in the format of other services. */
            click: {
                /** @description URL of the link. */
                link: string;
                /** @description IP address of the visitor. */
                ipAddress: string;
                /** @description User agent of the visitor. Empty if there was none. */
                userAgent: string;
                /** @description Time of the click. */
                timestamp: string;
            };
        };
        EmailClickedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.clicked";
            data?: components["schemas"]["EmailClickedEventData"];
        };
        EmailReceivedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "email.received";
            data?: components["schemas"]["EmailEventData"];
        };
        ContactEventData: {
            id: string;
            email: string;
            first_name?: string | null;
            last_name?: string | null;
            unsubscribed?: boolean;
            created_at?: string;
            updated_at?: string;
            /** @description The automation that caused it. `depth`: how many began one another before. */
            automation?: {
                id: string;
                run_id: string;
                depth: number;
            };
            /** @description The import that caused it. */
            import?: {
                id: string;
                runs_automations: boolean;
            };
        };
        ContactCreatedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "contact.created";
            data?: components["schemas"]["ContactEventData"];
        };
        ContactUpdatedEventData: components["schemas"]["ContactEventData"] & {
            /** @description Changed fields by name; those of properties as `properties.<key>`. */
            changes?: {
                [key: string]: {
                    from: string | number | boolean | null;
                    to: string | number | boolean | null;
                };
            };
        };
        ContactUpdatedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "contact.updated";
            data?: components["schemas"]["ContactUpdatedEventData"];
        };
        ContactDeletedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "contact.deleted";
            data?: components["schemas"]["ContactEventData"];
        };
        ContactListEventData: components["schemas"]["ContactEventData"] & {
            /** @description Id of the list. */
            list_id: string;
        };
        ContactListJoinedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "contact.list_joined";
            data?: components["schemas"]["ContactListEventData"];
        };
        ContactListLeftEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "contact.list_left";
            data?: components["schemas"]["ContactListEventData"];
        };
        ContactReportedEventData: components["schemas"]["ContactEventData"] & {
            /** @description Name of the event. */
            event: string;
            /** @description As it was reported. */
            payload: {
                [key: string]: unknown;
            };
            /** @description Time of the event. */
            occurred_at: string;
        };
        ContactEventEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "contact.event";
            data?: components["schemas"]["ContactReportedEventData"];
        };
        ContactUnsubscribedEventData: {
            /** @description Null if the address is not a contact. */
            id: string | null;
            email: string;
            first_name?: string | null;
            last_name?: string | null;
            unsubscribed?: boolean;
            created_at?: string;
            updated_at?: string;
            /** @description The automation that caused it. `depth`: how many began one another before. */
            automation?: {
                id: string;
                run_id: string;
                depth: number;
            };
            /** @description The import that caused it. */
            import?: {
                id: string;
                runs_automations: boolean;
            };
            /** @description List that the contact unsubscribed from. */
            list_id?: string;
            /** @description Topic that the contact unsubscribed from. */
            topic?: string;
            /** @description Email through which the contact unsubscribed. */
            email_id?: string;
            /** @description `mail`, `link`, `one_click` or `api`. */
            source?: string;
        };
        ContactUnsubscribedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "contact.unsubscribed";
            data?: components["schemas"]["ContactUnsubscribedEventData"];
        };
        DomainEventData: {
            id: string;
            name: string;
            status: string;
            reason: string | null;
            created_at: string;
        };
        DomainCreatedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "domain.created";
            data?: components["schemas"]["DomainEventData"];
        };
        DomainVerifiedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "domain.verified";
            data?: components["schemas"]["DomainEventData"];
        };
        DomainFailedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "domain.failed";
            data?: components["schemas"]["DomainEventData"];
        };
        DomainDeletedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "domain.deleted";
            data?: components["schemas"]["DomainEventData"];
        };
        SuppressionEventData: {
            id: string;
            email: string;
            /** @description `manual`, `bounce` or `complaint`. */
            reason: string | null;
            source_email_id?: string | null;
        };
        SuppressionAddedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "suppression.added";
            data?: components["schemas"]["SuppressionEventData"];
        };
        SuppressionRemovedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "suppression.removed";
            data?: components["schemas"]["SuppressionEventData"];
        };
        CampaignEventData: {
            id: string;
            name: string;
        };
        CampaignStartedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "campaign.started";
            data?: components["schemas"]["CampaignEventData"];
        };
        CampaignPausedEventData: components["schemas"]["CampaignEventData"] & {
            /** @description `paused_reason` of the campaign: `user`, `quota`, `reputation`, `domain`, ... */
            reason: string;
        };
        CampaignPausedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "campaign.paused";
            data?: components["schemas"]["CampaignPausedEventData"];
        };
        CampaignResumedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "campaign.resumed";
            data?: components["schemas"]["CampaignEventData"];
        };
        CampaignSentEventData: components["schemas"]["CampaignEventData"] & {
            /** @description Number of its recipients by state. */
            recipients: {
                accepted: number;
                skipped: number;
                failed: number;
            };
        };
        CampaignSentEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "campaign.sent";
            data?: components["schemas"]["CampaignSentEventData"];
        };
        CampaignCanceledEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "campaign.canceled";
            data?: components["schemas"]["CampaignEventData"];
        };
        WebhookEventData: {
            id: string;
            endpoint: string;
            /** @description Human-readable reason. */
            reason: string;
        };
        WebhookDisabledEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "webhook.disabled";
            data?: components["schemas"]["WebhookEventData"];
        };
        TeamEventData: {
            id: string;
            name: string;
            /** @description `operator`, or `reputation`: Sendwright, because of too many bounces or complaints. */
            by: string;
            /** @description Human-readable reason. */
            reason: string | null;
        };
        TeamPausedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "team.paused";
            data?: components["schemas"]["TeamEventData"];
        };
        TeamResumedEvent: components["schemas"]["WebhookEvent"] & {
            /** @constant */
            type?: "team.resumed";
            data?: components["schemas"]["TeamEventData"];
        };
    };
    responses: {
        /** @description The email was accepted. */
        AcceptedEmail: {
            content: {
                "application/json": components["schemas"]["AcceptedEmail"];
            };
        };
        /** @description The email was rescheduled. */
        EmailRef: {
            content: {
                "application/json": components["schemas"]["EmailRef"];
            };
        };
        /** @description The new template. */
        Template: {
            content: {
                "application/json": components["schemas"]["Template"];
            };
        };
        /** @description The template was deleted. */
        Deleted: {
            content: {
                "application/json": components["schemas"]["Deleted"];
            };
        };
        /** @description The draft. */
        TemplateDraft: {
            content: {
                "application/json": components["schemas"]["TemplateDraft"];
            };
        };
        /** @description The rendered content. */
        TemplatePreview: {
            content: {
                "application/json": components["schemas"]["TemplatePreview"];
            };
        };
        /** @description The new folder. */
        TemplateFolder: {
            content: {
                "application/json": components["schemas"]["TemplateFolder"];
            };
        };
        /** @description The domain, with its records. */
        Domain: {
            content: {
                "application/json": components["schemas"]["Domain"];
            };
        };
        /** @description A zone file or commands. */
        TextPlain: {
            content: {
                "text/plain": unknown;
            };
        };
        /** @description The new sender. */
        Sender: {
            content: {
                "application/json": components["schemas"]["Sender"];
            };
        };
        /** @description The new segment. */
        Segment: {
            content: {
                "application/json": components["schemas"]["Segment"];
            };
        };
        /** @description Newest first. */
        SegmentList: {
            content: {
                "application/json": components["schemas"]["SegmentList"];
            };
        };
        /** @description Newest contact first. */
        ContactList: {
            content: {
                "application/json": components["schemas"]["ContactList"];
            };
        };
        /** @description The new campaign. */
        Campaign: {
            content: {
                "application/json": components["schemas"]["Campaign"];
            };
        };
        /** @description The broadcast. */
        BroadcastId: {
            content: {
                "application/json": components["schemas"]["BroadcastId"];
            };
        };
        /** @description The new automation. */
        Automation: {
            content: {
                "application/json": components["schemas"]["Automation"];
            };
        };
        /** @description The run. */
        AutomationRun: {
            content: {
                "application/json": components["schemas"]["AutomationRun"];
            };
        };
        /** @description The new event. */
        EventDefinition: {
            content: {
                "application/json": components["schemas"]["EventDefinition"];
            };
        };
        /** @description The new key. */
        ApiKeyWithToken: {
            content: {
                "application/json": components["schemas"]["ApiKeyWithToken"];
            };
        };
        /** @description The key, without its secret. */
        ApiKey: {
            content: {
                "application/json": components["schemas"]["ApiKey"];
            };
        };
        /** @description The new property. */
        Property: {
            content: {
                "application/json": components["schemas"]["Property"];
            };
        };
        /** @description The contact with this address, updated. */
        Contact: {
            content: {
                "application/json": components["schemas"]["Contact"];
            };
        };
        /** @description Newest list first. */
        ListList: {
            content: {
                "application/json": components["schemas"]["ListList"];
            };
        };
        /** @description The new list. */
        List: {
            content: {
                "application/json": components["schemas"]["List"];
            };
        };
        /** @description The existing suppression. */
        Suppression: {
            content: {
                "application/json": components["schemas"]["Suppression"];
            };
        };
        /** @description All addresses were already suppressed. */
        SuppressionsAdded: {
            content: {
                "application/json": components["schemas"]["SuppressionsAdded"];
            };
        };
        /** @description The existing unsubscription. */
        Unsubscription: {
            content: {
                "application/json": components["schemas"]["Unsubscription"];
            };
        };
        /** @description The import is queued or running. */
        ImportSummary: {
            content: {
                "application/json": components["schemas"]["ImportSummary"];
            };
        };
        /** @description Newest first. */
        ImportSummaryList: {
            content: {
                "application/json": components["schemas"]["ImportSummaryList"];
            };
        };
        /** @description The import. */
        Import: {
            content: {
                "application/json": components["schemas"]["Import"];
            };
        };
        /** @description In line order. */
        ImportErrorList: {
            content: {
                "application/json": components["schemas"]["ImportErrorList"];
            };
        };
        /** @description The erasure has started. */
        Erasure: {
            content: {
                "application/json": components["schemas"]["Erasure"];
            };
        };
        /** @description The new webhook, with its signing secret. */
        WebhookWithSecret: {
            content: {
                "application/json": components["schemas"]["WebhookWithSecret"];
            };
        };
        /** @description The webhook. */
        Webhook: {
            content: {
                "application/json": components["schemas"]["Webhook"];
            };
        };
        /** @description The delivery, attempted immediately. */
        WebhookDeliverySummary: {
            content: {
                "application/json": components["schemas"]["WebhookDeliverySummary"];
            };
        };
        /** @description The periods in force. */
        Retention: {
            content: {
                "application/json": components["schemas"]["Retention"];
            };
        };
        /** @description The invitation. */
        SentInvitation: {
            content: {
                "application/json": components["schemas"]["SentInvitation"];
            };
        };
        /** @description The new team. */
        OperatorTeam: {
            content: {
                "application/json": components["schemas"]["OperatorTeam"];
            };
        };
        /** @description The last run. */
        ServerChecks: {
            content: {
                "application/json": components["schemas"]["ServerChecks"];
            };
        };
    };
    parameters: {
        /** @description Page number, from 1. */
        Page: number;
        /** @description Records per page. Default 25. */
        PerPage: number;
        /** @description Alias of `per_page`. */
        Limit: number;
        /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
        After: string;
        /** @description Returns the records just before this id. */
        Before: string;
        /** @description With this tag: `name:value`, or a name. */
        Tag: string;
        /** @description The value, if `tag` is a name, which may then contain colons. */
        TagValue: string;
        /** @description The revision of the draft you read. Returns 409 if it is not the current one. */
        Revision: number;
        /** @description By state. */
        State: "waiting" | "accepted" | "skipped" | "failed";
        /** @description Contact with this address. */
        Email: string;
        /** @description Contacts in this list. */
        ListId: string;
        /** @description Contacts that match this segment now. */
        SegmentId: string;
        /** @description `true`: unsubscribed contacts. `false`: subscribed contacts. */
        Unsubscribed: boolean;
        /** @description Start of the address, first name, last name, or full name, case-insensitive. */
        Q: string;
        /** @description Suppressions with this reason. */
        Reason: "manual" | "bounce" | "complaint";
        /** @description Alias of `reason`. */
        Origin: "manual" | "bounce" | "complaint";
        /** @description Suppression of this address. */
        SuppressionsEmail: string;
        /** @description Start of the address, case-insensitive. */
        SuppressionsQ: string;
        /** @description Default: by a `sep=` line, or the most frequent one in the first line. */
        Delimiter: "comma" | "semicolon" | "tab" | "pipe";
        /** @description Default: by the byte order mark, or UTF-8. */
        Encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "macintosh";
        /** @description Skips unknown columns. By default they return 422. */
        IgnoreUnknown: boolean;
        /** @description Only checks the rows. */
        DryRun: boolean;
        /** @description A JSON object from column names to fields: `{"Email Address":"email","Plan":"properties.PLAN","Notes":null}`. Case-insensitive. Null skips a column; other columns are recognized by name. */
        Mapping: string;
        /** @description ISO 8601 date or timestamp. Dates are days of `time_zone`. Default: 30 days before the end. Rounded down to the hour or day. */
        StartDate: string;
        /** @description ISO 8601 date or timestamp. Dates are days of `time_zone`. A date includes the whole day. Default: now. Rounded up. */
        EndDate: string;
        /** @description Step: up to 31 days by hour, within the last 99, or 366 by day. Default `day`. */
        Interval: "hour" | "day";
        /** @description IANA time zone of the days, such as `Europe/Berlin`. Default `UTC`. A day starts at the full UTC hour at or before midnight. */
        TimeZone: string;
        /** @description Whether to add mail to the simulator. Default `false`. */
        IncludeSimulated: "true" | "false";
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    listEmails: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description Emails with this status. `in_progress`: `queued`, `delivery_delayed`, or `scheduled`. */
                status?: "scheduled" | "queued" | "sent" | "delivered" | "delivery_delayed" | "bounced" | "failed" | "suppressed" | "canceled" | "rejected" | "partially_delivered" | "in_progress";
                /** @description Emails of the last 100 days that a person opened, clicked, or complained about. */
                event?: "opened" | "clicked" | "complained";
                /** @description Emails to the simulator only, or all others. */
                simulated?: "true" | "false";
                /** @description Emails to this address in `to`, `cc`, or `bcc`. */
                to?: string;
                /** @description Emails from this address, case-insensitive. */
                from?: string;
                /** @description With this tag: `name:value`, or a name. */
                tag?: components["parameters"]["Tag"];
                /** @description The value, if `tag` is a name, which may then contain colons. */
                tag_value?: components["parameters"]["TagValue"];
                /** @description Emails from this domain. */
                domain_id?: string;
                /** @description Emails that use this template. */
                template_id?: string;
                /** @description Emails accepted at or after this ISO 8601 date or timestamp. */
                start_date?: string;
                /** @description Emails accepted before this time. A date includes the whole day. */
                end_date?: string;
                /** @description Emails of this class. */
                class?: "transactional" | "bulk";
                /** @description Part of the subject, case-insensitive. */
                q?: string;
                /** @description An id, a Message-ID, the start of an address, `name:value` of a tag, or a part of the subject. */
                search?: string;
            };
        };
        responses: {
            /** @description A page of emails. */
            200: {
                content: {
                    "application/json": components["schemas"]["EmailSummaryList"];
                };
            };
        };
    };
    sendEmail: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendEmailRequest"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedEmail"];
        };
    };
    getEmail: {
        responses: {
            /** @description The email. */
            200: {
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
        };
    };
    rescheduleEmail: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["RescheduleEmailRequest"];
            };
        };
        responses: {
            200: components["responses"]["EmailRef"];
        };
    };
    getRawEmail: {
        responses: {
            /** @description The signed message. */
            200: {
                content: {
                    "message/rfc822": unknown;
                };
            };
        };
    };
    listAttempts: {
        responses: {
            /** @description Oldest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["AttemptList"];
                };
            };
        };
    };
    cancelEmail: {
        responses: {
            200: components["responses"]["EmailRef"];
        };
    };
    resendEmail: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResendEmailRequest"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedEmail"];
        };
    };
    listAttachments: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description In the order of the email. */
            200: {
                content: {
                    "application/json": components["schemas"]["EmailAttachmentList"];
                };
            };
        };
    };
    getAttachment: {
        responses: {
            /** @description The attachment. */
            200: {
                content: {
                    "application/octet-stream": unknown;
                };
            };
        };
    };
    shareEmail: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ShareEmailRequest"];
            };
        };
        responses: {
            /** @description The link. */
            200: {
                content: {
                    "application/json": components["schemas"]["SharedEmail"];
                };
            };
        };
    };
    sendMimeEmail: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMimeEmailRequest"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedEmail"];
        };
    };
    sendBatch: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendBatchRequest"];
            };
        };
        responses: {
            /** @description The emails were accepted. */
            202: {
                content: {
                    "application/json": components["schemas"]["BatchResult"];
                };
            };
        };
    };
    validateAddress: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateAddressRequest"];
            };
        };
        responses: {
            /** @description The result of the validation. */
            200: {
                content: {
                    "application/json": components["schemas"]["AddressValidation"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description Templates in this folder. */
                folder_id?: string;
                /** @description Templates with this status. */
                status?: "published" | "draft";
                /** @description Start of the name, case-insensitive. */
                q?: string;
            };
        };
        responses: {
            /** @description A page of templates. */
            200: {
                content: {
                    "application/json": components["schemas"]["TemplateSummaryList"];
                };
            };
        };
    };
    createTemplate: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTemplateRequest"];
            };
        };
        responses: {
            201: components["responses"]["Template"];
        };
    };
    getTemplate: {
        responses: {
            200: components["responses"]["Template"];
        };
    };
    deleteTemplate: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateTemplate: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTemplateRequest"];
            };
        };
        responses: {
            200: components["responses"]["Template"];
        };
    };
    duplicateTemplate: {
        responses: {
            201: components["responses"]["Template"];
        };
    };
    publishTemplate: {
        parameters: {
            query?: {
                /** @description The revision of the draft you read. Returns 409 if it is not the current one. */
                revision?: components["parameters"]["Revision"];
            };
        };
        responses: {
            200: components["responses"]["Template"];
        };
    };
    getTemplateDraft: {
        responses: {
            200: components["responses"]["TemplateDraft"];
        };
    };
    discardTemplateDraft: {
        parameters: {
            query?: {
                /** @description The revision of the draft you read. Returns 409 if it is not the current one. */
                revision?: components["parameters"]["Revision"];
            };
        };
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    saveTemplateDraft: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SaveTemplateDraftRequest"];
            };
        };
        responses: {
            200: components["responses"]["TemplateDraft"];
        };
    };
    listTemplateVersions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["TemplateVersionSummaryList"];
                };
            };
        };
    };
    getTemplateVersion: {
        responses: {
            /** @description The version. */
            200: {
                content: {
                    "application/json": components["schemas"]["TemplateVersion"];
                };
            };
        };
    };
    restoreTemplateVersion: {
        responses: {
            200: components["responses"]["Template"];
        };
    };
    previewTemplate: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewRequest"];
            };
        };
        responses: {
            200: components["responses"]["TemplatePreview"];
        };
    };
    previewContent: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewRequest"];
            };
        };
        responses: {
            200: components["responses"]["TemplatePreview"];
        };
    };
    listTemplateFolders: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description A page of folders. */
            200: {
                content: {
                    "application/json": components["schemas"]["TemplateFolderList"];
                };
            };
        };
    };
    createTemplateFolder: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTemplateFolderRequest"];
            };
        };
        responses: {
            201: components["responses"]["TemplateFolder"];
        };
    };
    getTemplateFolder: {
        responses: {
            200: components["responses"]["TemplateFolder"];
        };
    };
    deleteTemplateFolder: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateTemplateFolder: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTemplateFolderRequest"];
            };
        };
        responses: {
            200: components["responses"]["TemplateFolder"];
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description A page of domains. */
            200: {
                content: {
                    "application/json": components["schemas"]["DomainSummaryList"];
                };
            };
        };
    };
    createDomain: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDomainRequest"];
            };
        };
        responses: {
            201: components["responses"]["Domain"];
        };
    };
    getDomain: {
        responses: {
            200: components["responses"]["Domain"];
        };
    };
    deleteDomain: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateDomain: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateDomainRequest"];
            };
        };
        responses: {
            200: components["responses"]["Domain"];
        };
    };
    exportDomainRecords: {
        parameters: {
            query?: {
                /** @description Default: `zone`. */
                format?: "zone" | "cloudflare" | "route53" | "google";
            };
        };
        responses: {
            200: components["responses"]["TextPlain"];
        };
    };
    verifyDomain: {
        responses: {
            200: components["responses"]["Domain"];
        };
    };
    getDomainProvider: {
        responses: {
            /** @description The zone and its provider. */
            200: {
                content: {
                    "application/json": components["schemas"]["DnsProvider"];
                };
            };
        };
    };
    listSenders: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["SenderList"];
                };
            };
        };
    };
    createSender: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSenderRequest"];
            };
        };
        responses: {
            201: components["responses"]["Sender"];
        };
    };
    getSender: {
        responses: {
            200: components["responses"]["Sender"];
        };
    };
    deleteSender: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateSender: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSenderRequest"];
            };
        };
        responses: {
            200: components["responses"]["Sender"];
        };
    };
    listSegments: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            200: components["responses"]["SegmentList"];
        };
    };
    createSegment: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSegmentRequest"];
            };
        };
        responses: {
            201: components["responses"]["Segment"];
        };
    };
    getSegment: {
        responses: {
            200: components["responses"]["Segment"];
        };
    };
    deleteSegment: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateSegment: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSegmentRequest"];
            };
        };
        responses: {
            200: components["responses"]["Segment"];
        };
    };
    countSegmentContacts: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CountSegmentContactsRequest"];
            };
        };
        responses: {
            /** @description The count, and a few of the contacts. */
            200: {
                content: {
                    "application/json": components["schemas"]["SegmentCount"];
                };
            };
        };
    };
    listSegmentContacts: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            200: components["responses"]["ContactList"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description By status. */
                status?: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled";
            };
        };
        responses: {
            /** @description A page of campaigns. */
            200: {
                content: {
                    "application/json": components["schemas"]["CampaignSummaryList"];
                };
            };
        };
    };
    createCampaign: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCampaignRequest"];
            };
        };
        responses: {
            201: components["responses"]["Campaign"];
        };
    };
    getCampaign: {
        responses: {
            200: components["responses"]["Campaign"];
        };
    };
    deleteCampaign: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateCampaign: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateCampaignRequest"];
            };
        };
        responses: {
            200: components["responses"]["Campaign"];
        };
    };
    getCampaignMetrics: {
        responses: {
            /** @description The metrics. */
            200: {
                content: {
                    "application/json": components["schemas"]["CampaignMetrics"];
                };
            };
        };
    };
    listBroadcasts: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["BroadcastSummaryList"];
                };
            };
        };
    };
    createBroadcast: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateBroadcastRequest"];
            };
        };
        responses: {
            201: components["responses"]["BroadcastId"];
        };
    };
    getBroadcast: {
        responses: {
            /** @description The broadcast. */
            200: {
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
        };
    };
    deleteBroadcast: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateBroadcast: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateBroadcastRequest"];
            };
        };
        responses: {
            200: components["responses"]["BroadcastId"];
        };
    };
    sendBroadcast: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendBroadcastRequest"];
            };
        };
        responses: {
            200: components["responses"]["BroadcastId"];
        };
    };
    cancelBroadcast: {
        responses: {
            200: components["responses"]["BroadcastId"];
        };
    };
    duplicateBroadcast: {
        responses: {
            201: components["responses"]["BroadcastId"];
        };
    };
    listBroadcastRecipients: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description Outcome. Default: sent. */
                type?: "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained" | "unsubscribed" | "suppressed";
                /** @description The address. */
                email?: string;
                /** @description Only with `bounced`. */
                bounce_type?: "permanent" | "transient" | "undetermined";
            };
        };
        responses: {
            /** @description A page of recipients. */
            200: {
                content: {
                    "application/json": components["schemas"]["BroadcastRecipientList"];
                };
            };
        };
    };
    listBroadcastClickedLinks: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description A page of links. */
            200: {
                content: {
                    "application/json": components["schemas"]["BroadcastLinkList"];
                };
            };
        };
    };
    sendCampaign: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendCampaignRequest"];
            };
        };
        responses: {
            200: components["responses"]["Campaign"];
        };
    };
    pauseCampaign: {
        responses: {
            200: components["responses"]["Campaign"];
        };
    };
    resumeCampaign: {
        responses: {
            200: components["responses"]["Campaign"];
        };
    };
    cancelCampaign: {
        responses: {
            200: components["responses"]["Campaign"];
        };
    };
    duplicateCampaign: {
        responses: {
            201: components["responses"]["Campaign"];
        };
    };
    retryCampaign: {
        responses: {
            /** @description They wait again. */
            200: {
                content: {
                    "application/json": components["schemas"]["CampaignRetry"];
                };
            };
        };
    };
    listCampaignRecipients: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description By state. */
                state?: components["parameters"]["State"];
            };
        };
        responses: {
            /** @description Newest contact first. */
            200: {
                content: {
                    "application/json": components["schemas"]["CampaignRecipientList"];
                };
            };
        };
    };
    exportCampaignRecipients: {
        parameters: {
            query?: {
                /** @description By state. */
                state?: components["parameters"]["State"];
            };
        };
        responses: {
            /** @description The CSV file. */
            200: {
                content: {
                    "text/csv": components["schemas"]["ExportCampaignRecipientsResponse"];
                };
            };
        };
    };
    listCampaignLinks: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description Most recipients first. */
            200: {
                content: {
                    "application/json": components["schemas"]["CampaignLinkList"];
                };
            };
        };
    };
    previewCampaignAudience: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewCampaignAudienceRequest"];
            };
        };
        responses: {
            /** @description The counts. */
            200: {
                content: {
                    "application/json": components["schemas"]["CampaignAudience"];
                };
            };
        };
    };
    previewCampaign: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewCampaignRequest"];
            };
        };
        responses: {
            /** @description The rendered content. */
            200: {
                content: {
                    "application/json": components["schemas"]["CampaignPreview"];
                };
            };
        };
    };
    testCampaign: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestCampaignRequest"];
            };
        };
        responses: {
            /** @description The result for each address. */
            202: {
                content: {
                    "application/json": components["schemas"]["CampaignTest"];
                };
            };
        };
    };
    checkCampaign: {
        responses: {
            /** @description The findings. Empty: none. */
            200: {
                content: {
                    "application/json": components["schemas"]["CampaignChecks"];
                };
            };
        };
    };
    estimateCampaign: {
        parameters: {
            query?: {
                /** @description Default: now. */
                scheduled_at?: string;
            };
        };
        responses: {
            /** @description The estimate. */
            200: {
                content: {
                    "application/json": components["schemas"]["CampaignEstimate"];
                };
            };
        };
    };
    listAutomations: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description Only with this status. */
                status?: "draft" | "active" | "paused" | "enabled" | "disabled";
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["AutomationList"];
                };
            };
        };
    };
    createAutomation: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAutomationRequest"];
            };
        };
        responses: {
            201: components["responses"]["Automation"];
        };
    };
    getAutomation: {
        responses: {
            200: components["responses"]["Automation"];
        };
    };
    deleteAutomation: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateAutomation: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateAutomationRequest"];
            };
        };
        responses: {
            200: components["responses"]["Automation"];
        };
    };
    stopAutomation: {
        responses: {
            200: components["responses"]["Automation"];
        };
    };
    duplicateAutomation: {
        responses: {
            201: components["responses"]["Automation"];
        };
    };
    listAutomationVersions: {
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["ListAutomationVersionsResponse"];
                };
            };
        };
    };
    moveAutomationRuns: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveAutomationRunsRequest"];
            };
        };
        responses: {
            /** @description The number of runs. */
            200: {
                content: {
                    "application/json": components["schemas"]["AutomationMove"];
                };
            };
        };
    };
    dryRunAutomation: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DryRunAutomationRequest"];
            };
        };
        responses: {
            /** @description Each step with its decision. */
            200: {
                content: {
                    "application/json": components["schemas"]["AutomationDryRun"];
                };
            };
        };
    };
    listAutomationRuns: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description Comma-separated: running, completed, failed, cancelled. */
                status?: string[];
                /** @description Only runs of this version. */
                version?: number;
                /** @description Only runs that are or ended at this step. */
                step?: string;
                /** @description Only runs of this contact. */
                contact_id?: string;
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["AutomationRunList"];
                };
            };
        };
    };
    startAutomationRun: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartAutomationRunRequest"];
            };
        };
        responses: {
            201: components["responses"]["AutomationRun"];
        };
    };
    getAutomationRun: {
        responses: {
            /** @description The run. */
            200: {
                content: {
                    "application/json": components["schemas"]["AutomationRunTrail"];
                };
            };
        };
    };
    cancelAutomationRun: {
        responses: {
            200: components["responses"]["AutomationRun"];
        };
    };
    retryAutomationRun: {
        responses: {
            200: components["responses"]["AutomationRun"];
        };
    };
    getAutomationFigures: {
        parameters: {
            query?: {
                /** @description Default: the current version. */
                version?: number;
            };
        };
        responses: {
            /** @description The figures. */
            200: {
                content: {
                    "application/json": components["schemas"]["AutomationFigures"];
                };
            };
        };
    };
    sendEvent: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendEventRequest"];
            };
        };
        responses: {
            /** @description The event was recorded. */
            202: {
                content: {
                    "application/json": components["schemas"]["ReportedEvent"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the last response. Returns the events after it, oldest first. */
                after?: string;
                /** @description Without `after`: `start` (default) returns the oldest events first, `end` only new events. */
                from?: "start" | "end";
                /** @description Only events of these types: comma-separated, or as a repeated parameter. */
                types?: string[];
                /** @description Alias of `types`. */
                type?: string[];
                /** @description Only events of this email. */
                email_id?: string;
                /** @description Only events of this email, contact, domain, suppression, or webhook. */
                subject_id?: string;
                /** @description Maximum number of events. Default 25. A page can have fewer, or none, while `has_more` is true. */
                limit?: number;
                /** @description Seconds to wait if there is no event yet. Default 0. */
                wait?: number;
            };
        };
        responses: {
            /** @description The next events, oldest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["EventPage"];
                    "text/event-stream": string;
                };
            };
        };
    };
    createEventDefinition: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEventDefinitionRequest"];
            };
        };
        responses: {
            201: components["responses"]["EventDefinition"];
        };
    };
    listEventDefinitions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["EventDefinitionList"];
                };
            };
        };
    };
    getEventDefinition: {
        responses: {
            200: components["responses"]["EventDefinition"];
        };
    };
    deleteEventDefinition: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateEventDefinition: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateEventDefinitionRequest"];
            };
        };
        responses: {
            200: components["responses"]["EventDefinition"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            201: components["responses"]["ApiKeyWithToken"];
        };
    };
    getApiKey: {
        responses: {
            200: components["responses"]["ApiKey"];
        };
    };
    revokeApiKey: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateApiKey: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateApiKeyRequest"];
            };
        };
        responses: {
            200: components["responses"]["ApiKey"];
        };
    };
    listProperties: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["PropertyList"];
                };
            };
        };
    };
    createProperty: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePropertyRequest"];
            };
        };
        responses: {
            201: components["responses"]["Property"];
        };
    };
    getProperty: {
        responses: {
            200: components["responses"]["Property"];
        };
    };
    deleteProperty: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateProperty: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePropertyRequest"];
            };
        };
        responses: {
            200: components["responses"]["Property"];
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description Contact with this address. */
                email?: components["parameters"]["Email"];
                /** @description Contacts in this list. */
                list_id?: components["parameters"]["ListId"];
                /** @description Contacts that match this segment now. */
                segment_id?: components["parameters"]["SegmentId"];
                /** @description `true`: unsubscribed contacts. `false`: subscribed contacts. */
                unsubscribed?: components["parameters"]["Unsubscribed"];
                /** @description Start of the address, first name, last name, or full name, case-insensitive. */
                q?: components["parameters"]["Q"];
            };
        };
        responses: {
            200: components["responses"]["ContactList"];
        };
    };
    createContact: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContactRequest"];
            };
        };
        responses: {
            200: components["responses"]["Contact"];
            201: components["responses"]["Contact"];
        };
    };
    getContact: {
        responses: {
            200: components["responses"]["Contact"];
        };
    };
    deleteContact: {
        responses: {
            /** @description The record was deleted. */
            200: {
                content: {
                    "application/json": components["schemas"]["DeletedContact"];
                };
            };
        };
    };
    updateContact: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateContactRequest"];
            };
        };
        responses: {
            200: components["responses"]["Contact"];
        };
    };
    listContactLists: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            200: components["responses"]["ListList"];
        };
    };
    addContactToLists: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddContactToListsRequest"];
            };
        };
        responses: {
            200: components["responses"]["Contact"];
        };
    };
    removeContactFromList: {
        responses: {
            /** @description The contact was removed from the list. */
            200: {
                content: {
                    "application/json": components["schemas"]["DeletedListMembership"];
                };
            };
        };
    };
    listContactSegments: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            200: components["responses"]["SegmentList"];
        };
    };
    addContactToSegment: {
        responses: {
            /** @description The contact is in the segment. */
            200: {
                content: {
                    "application/json": components["schemas"]["SegmentMembership"];
                };
            };
        };
    };
    removeContactFromSegment: {
        responses: {
            /** @description The contact is not in the segment. */
            200: {
                content: {
                    "application/json": components["schemas"]["DeletedSegmentMembership"];
                };
            };
        };
    };
    listLists: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            200: components["responses"]["ListList"];
        };
    };
    createList: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateListRequest"];
            };
        };
        responses: {
            201: components["responses"]["List"];
        };
    };
    getList: {
        responses: {
            200: components["responses"]["List"];
        };
    };
    deleteList: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateList: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateListRequest"];
            };
        };
        responses: {
            200: components["responses"]["List"];
        };
    };
    listContactsInList: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            200: components["responses"]["ContactList"];
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description Suppressions with this reason. */
                reason?: components["parameters"]["Reason"];
                /** @description Alias of `reason`. */
                origin?: components["parameters"]["Origin"];
                /** @description Suppression of this address. */
                email?: components["parameters"]["SuppressionsEmail"];
                /** @description Start of the address, case-insensitive. */
                q?: components["parameters"]["SuppressionsQ"];
            };
        };
        responses: {
            /** @description A page of suppressions. */
            200: {
                content: {
                    "application/json": components["schemas"]["SuppressionList"];
                };
            };
        };
    };
    suppressAddress: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuppressAddressRequest"];
            };
        };
        responses: {
            200: components["responses"]["Suppression"];
            201: components["responses"]["Suppression"];
        };
    };
    suppressAddresses: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuppressAddressesRequest"];
            };
        };
        responses: {
            200: components["responses"]["SuppressionsAdded"];
            201: components["responses"]["SuppressionsAdded"];
        };
    };
    removeSuppressions: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RemoveSuppressionsRequest"];
            };
        };
        responses: {
            /** @description The suppressions were removed. */
            200: {
                content: {
                    "application/json": components["schemas"]["SuppressionsRemoved"];
                };
            };
        };
    };
    getSuppression: {
        responses: {
            200: components["responses"]["Suppression"];
        };
    };
    removeSuppression: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateSuppression: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSuppressionRequest"];
            };
        };
        responses: {
            200: components["responses"]["Suppression"];
        };
    };
    listUnsubscriptions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description Unsubscriptions of this address. */
                email?: string;
            };
        };
        responses: {
            /** @description A page of unsubscriptions. */
            200: {
                content: {
                    "application/json": components["schemas"]["UnsubscriptionList"];
                };
            };
        };
    };
    createUnsubscription: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUnsubscriptionRequest"];
            };
        };
        responses: {
            200: components["responses"]["Unsubscription"];
            201: components["responses"]["Unsubscription"];
        };
    };
    deleteUnsubscription: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    importContacts: {
        parameters: {
            query?: {
                /** @description Default: by a `sep=` line, or the most frequent one in the first line. */
                delimiter?: components["parameters"]["Delimiter"];
                /** @description Default: by the byte order mark, or UTF-8. */
                encoding?: components["parameters"]["Encoding"];
                /** @description Skips unknown columns. By default they return 422. */
                ignore_unknown?: components["parameters"]["IgnoreUnknown"];
                /** @description Only checks the rows. */
                dry_run?: components["parameters"]["DryRun"];
                /** @description A JSON object from column names to fields: `{"Email Address":"email","Plan":"properties.PLAN","Notes":null}`. Case-insensitive. Null skips a column; other columns are recognized by name. */
                mapping?: components["parameters"]["Mapping"];
                /** @description Whether rows begin automations. Default: false. */
                run_automations?: boolean;
                /** @description `skip`: existing contacts are only added to the lists. Default: `update`. */
                existing?: "update" | "skip";
                /** @description Up to 100 list ids, separated by commas. Every contact is added to these lists. */
                list_ids?: string;
            };
        };
        /** @description The CSV file. */
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            202: components["responses"]["ImportSummary"];
        };
    };
    listContactImports: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            200: components["responses"]["ImportSummaryList"];
        };
    };
    getContactImport: {
        responses: {
            200: components["responses"]["Import"];
        };
    };
    listContactImportErrors: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            200: components["responses"]["ImportErrorList"];
        };
    };
    importSuppressions: {
        parameters: {
            query?: {
                /** @description Default: by a `sep=` line, or the most frequent one in the first line. */
                delimiter?: components["parameters"]["Delimiter"];
                /** @description Default: by the byte order mark, or UTF-8. */
                encoding?: components["parameters"]["Encoding"];
                /** @description Skips unknown columns. By default they return 422. */
                ignore_unknown?: components["parameters"]["IgnoreUnknown"];
                /** @description Only checks the rows. */
                dry_run?: components["parameters"]["DryRun"];
                /** @description A JSON object from column names to fields: `{"Email Address":"email","Plan":"properties.PLAN","Notes":null}`. Case-insensitive. Null skips a column; other columns are recognized by name. */
                mapping?: components["parameters"]["Mapping"];
            };
        };
        /** @description The CSV file. */
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            202: components["responses"]["ImportSummary"];
        };
    };
    listSuppressionImports: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            200: components["responses"]["ImportSummaryList"];
        };
    };
    getSuppressionImport: {
        responses: {
            200: components["responses"]["Import"];
        };
    };
    listSuppressionImportErrors: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            200: components["responses"]["ImportErrorList"];
        };
    };
    exportContacts: {
        parameters: {
            query?: {
                /** @description Contact with this address. */
                email?: components["parameters"]["Email"];
                /** @description Contacts in this list. */
                list_id?: components["parameters"]["ListId"];
                /** @description Contacts that match this segment now. */
                segment_id?: components["parameters"]["SegmentId"];
                /** @description `true`: unsubscribed contacts. `false`: subscribed contacts. */
                unsubscribed?: components["parameters"]["Unsubscribed"];
                /** @description Start of the address, first name, last name, or full name, case-insensitive. */
                q?: components["parameters"]["Q"];
            };
        };
        responses: {
            /** @description The CSV file. */
            200: {
                content: {
                    "text/csv": components["schemas"]["ExportContactsResponse"];
                };
            };
        };
    };
    exportSuppressions: {
        parameters: {
            query?: {
                /** @description Suppressions with this reason. */
                reason?: components["parameters"]["Reason"];
                /** @description Alias of `reason`. */
                origin?: components["parameters"]["Origin"];
                /** @description Suppression of this address. */
                email?: components["parameters"]["SuppressionsEmail"];
                /** @description Start of the address, case-insensitive. */
                q?: components["parameters"]["SuppressionsQ"];
            };
        };
        responses: {
            /** @description The CSV file. */
            200: {
                content: {
                    "text/csv": components["schemas"]["ExportSuppressionsResponse"];
                };
            };
        };
    };
    erasePerson: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ErasePersonRequest"];
            };
        };
        responses: {
            202: components["responses"]["Erasure"];
        };
    };
    getErasure: {
        responses: {
            200: components["responses"]["Erasure"];
        };
    };
    exportPerson: {
        responses: {
            /** @description The data of the person. */
            200: {
                content: {
                    "application/json": components["schemas"]["ExportPersonResponse"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
        };
    };
    createWebhook: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            201: components["responses"]["WebhookWithSecret"];
        };
    };
    getWebhook: {
        responses: {
            200: components["responses"]["WebhookWithSecret"];
        };
    };
    deleteWebhook: {
        responses: {
            200: components["responses"]["Deleted"];
        };
    };
    updateWebhook: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            200: components["responses"]["Webhook"];
        };
    };
    testWebhook: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookRequest"];
            };
        };
        responses: {
            202: components["responses"]["WebhookDeliverySummary"];
        };
    };
    rotateWebhookSecret: {
        responses: {
            200: components["responses"]["WebhookWithSecret"];
        };
    };
    replayWebhookEvents: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookEventsRequest"];
            };
        };
        responses: {
            /** @description The deliveries are queued. */
            202: {
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description Deliveries with this status. */
                status?: "waiting" | "delivered" | "failed";
                /** @description Deliveries of this event type. A request scans at most 10,000; follow `links.next` to continue. */
                type?: string;
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookDeliverySummaryList"];
                };
            };
        };
    };
    getWebhookDelivery: {
        responses: {
            /** @description The delivery. */
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        responses: {
            202: components["responses"]["WebhookDeliverySummary"];
        };
    };
    listCapturedEmails: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
            };
        };
        responses: {
            /** @description Newest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["CapturedEmailSummaryList"];
                };
            };
        };
    };
    deleteCapturedEmails: {
        responses: {
            /** @description The messages were deleted. */
            200: {
                content: {
                    "application/json": components["schemas"]["DeleteCapturedEmailsResponse"];
                };
            };
        };
    };
    getCapturedEmail: {
        responses: {
            /** @description The message. */
            200: {
                content: {
                    "application/json": components["schemas"]["CapturedEmail"];
                };
            };
        };
    };
    getEmailMetrics: {
        parameters: {
            query?: {
                /** @description ISO 8601 date or timestamp. Dates are days of `time_zone`. Default: 30 days before the end. Rounded down to the hour or day. */
                start_date?: components["parameters"]["StartDate"];
                /** @description ISO 8601 date or timestamp. Dates are days of `time_zone`. A date includes the whole day. Default: now. Rounded up. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Step: up to 31 days by hour, within the last 99, or 366 by day. Default `day`. */
                interval?: components["parameters"]["Interval"];
                /** @description IANA time zone of the days, such as `Europe/Berlin`. Default `UTC`. A day starts at the full UTC hour at or before midnight. */
                time_zone?: components["parameters"]["TimeZone"];
                /** @description Whether to add mail to the simulator. Default `false`. */
                include_simulated?: components["parameters"]["IncludeSimulated"];
                /** @description Adds `groups`. Cannot be combined with a filter. */
                group_by?: "domain" | "tag" | "template" | "sender" | "provider" | "reason";
                /** @description Maximum number of groups. Default 10. */
                limit?: number;
                /** @description Only emails from this domain. */
                domain_id?: string;
                /** @description With this tag: `name:value`, or a name. */
                tag?: components["parameters"]["Tag"];
                /** @description The value, if `tag` is a name, which may then contain colons. */
                tag_value?: components["parameters"]["TagValue"];
                /** @description Only emails that use this template. */
                template_id?: string;
                /** @description Only emails from this address, case-insensitive. */
                from?: string;
                /** @description Only recipients at this provider. Counts of whole emails are then 0. */
                provider?: string;
                /** @description Only failures of this category. Other counts are then 0. */
                reason?: string;
            };
        };
        responses: {
            /** @description The metrics. */
            200: {
                content: {
                    "application/json": components["schemas"]["EmailMetrics"];
                };
            };
        };
    };
    listAlerts: {
        responses: {
            /** @description The alerts; empty when there are none. */
            200: {
                content: {
                    "application/json": components["schemas"]["AlertList"];
                };
            };
        };
    };
    getGoLive: {
        responses: {
            /** @description The steps. */
            200: {
                content: {
                    "application/json": components["schemas"]["GoLive"];
                };
            };
        };
    };
    getSummary: {
        parameters: {
            query?: {
                /** @description ISO 8601 date or timestamp. Dates are days of `time_zone`. Default: 30 days before the end. Rounded down to the hour or day. */
                start_date?: components["parameters"]["StartDate"];
                /** @description ISO 8601 date or timestamp. Dates are days of `time_zone`. A date includes the whole day. Default: now. Rounded up. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Step: up to 31 days by hour, within the last 99, or 366 by day. Default `day`. */
                interval?: components["parameters"]["Interval"];
                /** @description IANA time zone of the days, such as `Europe/Berlin`. Default `UTC`. A day starts at the full UTC hour at or before midnight. */
                time_zone?: components["parameters"]["TimeZone"];
                /** @description Whether to add mail to the simulator. Default `false`. */
                include_simulated?: components["parameters"]["IncludeSimulated"];
            };
        };
        responses: {
            /** @description The summary. */
            200: {
                content: {
                    "application/json": components["schemas"]["Summary"];
                };
            };
        };
    };
    getUsage: {
        responses: {
            /** @description Current usage and limits. */
            200: {
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description Changes by this key or user. */
                actor_id?: string;
                /** @description Changes of this record. */
                target_id?: string;
                /** @description An action, or a prefix that ends with a dot: `templates.`. */
                action?: string;
                /** @description Entries at or after this ISO 8601 date or timestamp. */
                start_date?: string;
                /** @description Entries before this time. A date includes the whole day. */
                end_date?: string;
            };
        };
        responses: {
            /** @description A page of audit entries. */
            200: {
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
        };
    };
    listLogs: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Records per page. Default 25. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Alias of `per_page`. */
                limit?: components["parameters"]["Limit"];
                /** @description Returns the records that follow this id. Faster than `page` deep in a list. */
                after?: components["parameters"]["After"];
                /** @description Returns the records just before this id. */
                before?: components["parameters"]["Before"];
                /** @description The `x-request-id` of a response. */
                request_id?: string;
                /** @description HTTP method. */
                method?: string;
                /** @description Status, or a class such as `4xx`. */
                status?: string;
                /** @description Path as in this document: `/emails/{id}`. */
                route?: string;
                /** @description Path, or a prefix that ends with a slash. */
                endpoint?: string;
                /** @description Requests with this key. */
                api_key_id?: string;
                /** @description Requests at or after this ISO 8601 date or timestamp. */
                start_date?: string;
                /** @description Requests before this time. A date includes the whole day. */
                end_date?: string;
            };
        };
        responses: {
            /** @description A page of requests. */
            200: {
                content: {
                    "application/json": components["schemas"]["LogList"];
                };
            };
        };
    };
    getLog: {
        responses: {
            /** @description The request. */
            200: {
                content: {
                    "application/json": components["schemas"]["Log"];
                };
            };
        };
    };
    getRetention: {
        responses: {
            200: components["responses"]["Retention"];
        };
    };
    updateRetention: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateRetentionRequest"];
            };
        };
        responses: {
            200: components["responses"]["Retention"];
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description Start of the name, case-insensitive. */
                q?: string;
                /** @description `true`: paused teams. `false`: teams that can send. */
                paused?: boolean;
                /** @description Maximum number of teams. Default 25. */
                limit?: number;
                /** @description Returns the teams after this id. */
                after?: string;
            };
        };
        responses: {
            /** @description The teams. */
            200: {
                content: {
                    "application/json": components["schemas"]["ListTeamsResponse"];
                };
            };
        };
    };
    createTeam: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTeamRequest"];
            };
        };
        responses: {
            201: components["responses"]["OperatorTeam"];
        };
    };
    getTeamAsOperator: {
        responses: {
            200: components["responses"]["OperatorTeam"];
        };
    };
    updateTeamAsOperator: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOperatorTeamRequest"];
            };
        };
        responses: {
            200: components["responses"]["OperatorTeam"];
        };
    };
    pauseTeam: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["PauseTeamRequest"];
            };
        };
        responses: {
            200: components["responses"]["OperatorTeam"];
        };
    };
    resumeTeam: {
        responses: {
            200: components["responses"]["OperatorTeam"];
        };
    };
    inviteToTeam: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteToTeamRequest"];
            };
        };
        responses: {
            201: components["responses"]["SentInvitation"];
        };
    };
    listPlans: {
        responses: {
            /** @description Smallest plan first. */
            200: {
                content: {
                    "application/json": components["schemas"]["PlanList"];
                };
            };
        };
    };
    getQueue: {
        responses: {
            /** @description The queue as of a few seconds ago. */
            200: {
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
        };
    };
    listSites: {
        parameters: {
            query?: {
                /** @description Part of the name. */
                site?: string;
                /** @description Only sites in this state. */
                state?: "open" | "paused" | "probing" | "stopped";
                /** @description Maximum number of sites. Default 100. */
                limit?: number;
                /** @description Returns the sites after this name. */
                after?: string;
            };
        };
        responses: {
            /** @description The sites as of a few seconds ago. */
            200: {
                content: {
                    "application/json": components["schemas"]["ListSitesResponse"];
                };
            };
        };
    };
    pauseSite: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["PauseSiteRequest"];
            };
        };
        responses: {
            /** @description The site is paused. */
            200: {
                content: {
                    "application/json": components["schemas"]["PauseSiteResponse"];
                };
            };
        };
    };
    resumeSite: {
        responses: {
            /** @description The site is open. */
            200: {
                content: {
                    "application/json": components["schemas"]["ResumeSiteResponse"];
                };
            };
        };
    };
    getShaping: {
        responses: {
            /** @description The rules of the file, then the built-in ones. */
            200: {
                content: {
                    "application/json": components["schemas"]["Shaping"];
                };
            };
        };
    };
    listNodes: {
        responses: {
            /** @description Longest-running process first. */
            200: {
                content: {
                    "application/json": components["schemas"]["NodeList"];
                };
            };
        };
    };
    getHealth: {
        responses: {
            /** @description The health, also when a check fails. */
            200: {
                content: {
                    "application/json": components["schemas"]["InstallationHealth"];
                };
            };
        };
    };
    getServerChecks: {
        responses: {
            200: components["responses"]["ServerChecks"];
        };
    };
    runServerChecks: {
        responses: {
            202: components["responses"]["ServerChecks"];
        };
    };
}
