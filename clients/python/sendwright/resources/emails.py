# `npm test -- clients/test/generated.test.ts -u` writes this file.
from __future__ import annotations

import typing as t

from .. import types
from .._resource import ListCall, Resource


class Emails(Resource):
    """Sends emails and follows their delivery."""

    def send(
        self,
        body: types.SendEmailRequest,
        *,
        idempotency_key: t.Optional[str] = None,
    ) -> types.AcceptedEmail:
        """Sends an email. Retries share one idempotency key, so they never send it twice."""
        return self._call("POST", "/emails", body=body, key=idempotency_key, is_keyed=True)

    def send_batch(
        self,
        body: t.List[types.SendEmailRequest],
        *,
        validation: t.Optional[t.Literal["strict", "permissive"]] = None,
        idempotency_key: t.Optional[str] = None,
    ) -> types.BatchResult:
        """Sends up to 100 emails in one request. With `validation="permissive"`, valid emails
        are sent and `errors` names the others; by default one invalid email rejects all."""
        return self._call(
            "POST",
            "/emails/batch",
            body=body,
            key=idempotency_key,
            is_keyed=True,
            headers={"x-batch-validation": validation},
        )

    def send_mime(
        self,
        body: types.SendMimeEmailRequest,
        *,
        idempotency_key: t.Optional[str] = None,
    ) -> types.AcceptedEmail:
        """Sends a complete MIME message to one recipient."""
        return self._call("POST", "/emails/mime", body=body, key=idempotency_key, is_keyed=True)

    def resend(
        self,
        id: str,
        body: t.Optional[types.ResendEmailRequest] = None,
        *,
        idempotency_key: t.Optional[str] = None,
    ) -> types.AcceptedEmail:
        """Sends an email again, as a new email."""
        return self._call(
            "POST",
            "/emails/{id}/resend",
            ids=[id],
            body=body or {},
            key=idempotency_key,
            is_keyed=True,
        )

    def raw(self, id: str) -> bytes:
        """Returns the message as sent, with its DKIM signatures."""
        return self._bytes("/emails/{id}/raw", ids=[id])

    def attachments(
        self,
        id: str,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
    ) -> ListCall[types.EmailAttachmentList, types.EmailAttachment]:
        """Lists the attachments of an email, with links to download them."""
        return self._list(
            "/emails/{id}/attachments",
            ids=[id],
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
            },
        )

    def share(self, id: str, body: t.Optional[types.ShareEmailRequest] = None) -> types.SharedEmail:
        """Returns a public link to an email that expires after 48 hours or `expires_in`."""
        return self._call("POST", "/emails/{id}/share", ids=[id], body=body or {}, is_safe=True)

    def attachment(self, id: str, index: int) -> bytes:
        """Returns the content of an attachment, by its index in the email."""
        return self._bytes("/emails/{id}/attachments/{index}", ids=[id, index])

    def list(
        self,
        *,
        page: t.Optional[int] = None,
        per_page: t.Optional[int] = None,
        limit: t.Optional[int] = None,
        after: t.Optional[str] = None,
        before: t.Optional[str] = None,
        status: t.Optional[t.Literal["scheduled", "queued", "sent", "delivered", "delivery_delayed", "bounced", "failed", "suppressed", "canceled", "rejected", "partially_delivered", "in_progress"]] = None,
        event: t.Optional[t.Literal["opened", "clicked", "complained"]] = None,
        simulated: t.Optional[t.Literal["true", "false"]] = None,
        to: t.Optional[str] = None,
        from_: t.Optional[str] = None,
        tag: t.Optional[str] = None,
        tag_value: t.Optional[str] = None,
        domain_id: t.Optional[str] = None,
        template_id: t.Optional[str] = None,
        start_date: t.Optional[str] = None,
        end_date: t.Optional[str] = None,
        class_: t.Optional[t.Literal["transactional", "bulk"]] = None,
        q: t.Optional[str] = None,
        search: t.Optional[str] = None,
    ) -> ListCall[types.EmailSummaryList, types.EmailSummary]:
        """Lists emails, newest first."""
        return self._list(
            "/emails",
            query={
                "page": page,
                "per_page": per_page,
                "limit": limit,
                "after": after,
                "before": before,
                "status": status,
                "event": event,
                "simulated": simulated,
                "to": to,
                "from": from_,
                "tag": tag,
                "tag_value": tag_value,
                "domain_id": domain_id,
                "template_id": template_id,
                "start_date": start_date,
                "end_date": end_date,
                "class": class_,
                "q": q,
                "search": search,
            },
        )

    def get(self, id: str) -> types.Email:
        """Returns an email with its content, the status of each recipient, and its events."""
        return self._call("GET", "/emails/{id}", ids=[id])

    def reschedule(self, id: str, body: types.RescheduleEmailRequest) -> types.EmailRef:
        """Moves a scheduled email to another time."""
        return self._call("PATCH", "/emails/{id}", ids=[id], body=body)

    def cancel(self, id: str) -> types.EmailRef:
        """Cancels a scheduled email."""
        return self._call("POST", "/emails/{id}/cancel", ids=[id])

    def attempts(self, id: str) -> ListCall[types.AttemptList, types.Attempt]:
        """Lists the delivery attempts of an email with their SMTP transcripts."""
        return self._list("/emails/{id}/attempts", ids=[id])

    def validate(self, body: types.ValidateAddressRequest) -> types.AddressValidation:
        """Checks whether an address can receive email."""
        return self._call("POST", "/emails/validate", body=body, is_safe=True)

    def metrics(
        self,
        *,
        start_date: t.Optional[str] = None,
        end_date: t.Optional[str] = None,
        interval: t.Optional[t.Literal["hour", "day"]] = None,
        time_zone: t.Optional[str] = None,
        include_simulated: t.Optional[t.Literal["true", "false"]] = None,
        group_by: t.Optional[t.Literal["domain", "tag", "template", "sender", "provider", "reason"]] = None,
        limit: t.Optional[int] = None,
        domain_id: t.Optional[str] = None,
        tag: t.Optional[str] = None,
        tag_value: t.Optional[str] = None,
        template_id: t.Optional[str] = None,
        from_: t.Optional[str] = None,
        provider: t.Optional[str] = None,
        reason: t.Optional[str] = None,
    ) -> types.EmailMetrics:
        """Returns counts and rates by hour or day."""
        return self._call(
            "GET",
            "/emails/metrics",
            query={
                "start_date": start_date,
                "end_date": end_date,
                "interval": interval,
                "time_zone": time_zone,
                "include_simulated": include_simulated,
                "group_by": group_by,
                "limit": limit,
                "domain_id": domain_id,
                "tag": tag,
                "tag_value": tag_value,
                "template_id": template_id,
                "from": from_,
                "provider": provider,
                "reason": reason,
            },
        )
