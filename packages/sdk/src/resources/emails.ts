import { toBase64 } from '../base64.ts'
import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import { type Call, SendwrightError, startCall } from '../result.ts'
import type { CallOptions, Transport } from '../transport.ts'
import type {
  AcceptedEmail,
  AddressValidation,
  Attachment,
  AttemptList,
  BatchResult,
  Email,
  EmailAttachmentList,
  EmailMetrics,
  EmailRef,
  EmailSummaryList,
  RescheduleEmailRequest,
  ResendEmailRequest,
  SendEmail,
  SendMimeEmailRequest,
  SharedEmail,
  ShareEmailRequest,
  ValidateAddressRequest,
} from '../types.ts'

/** Options of a call that sends. */
export interface SendOptions extends CallOptions {
  /**
   * Identifies the email for 24 hours: the same key sends it at most once. Default, also for a blank one: a new key for each
   * call, which its retries share. An `Idempotency-Key` in `headers` replaces it.
   */
  idempotencyKey?: string
}

/** Returns the HTML of a React component. */
export type Render = (component: object) => Promise<string>

/** Sends emails and follows their delivery. */
export class Emails extends Resource {
  readonly #render: Render | undefined

  constructor(transport: Transport, render: Render | undefined) {
    super(transport)
    this.#render = render
  }

  /** Sends an email. Retries share one idempotency key, so they never send it twice. */
  send(email: SendEmail, options?: SendOptions): Call<AcceptedEmail> {
    return this.prepared([email], ([body]) =>
      this.call('post', '/emails', { body: body as never, options, isKeyed: true }),
    )
  }

  /**
   * Sends up to 100 emails in one request. With `validation: 'permissive'`, valid emails are sent and `errors` names the
   * others; by default one invalid email rejects all.
   */
  sendBatch(
    emails: readonly SendEmail[],
    { validation, ...options }: SendOptions & { validation?: 'strict' | 'permissive' } = {},
  ): Call<BatchResult> {
    const headers = validation === undefined ? {} : { 'x-batch-validation': validation }
    return this.prepared(emails, (body) =>
      this.call('post', '/emails/batch', { body: body as never, options, headers, isKeyed: true }),
    )
  }

  /** Sends a complete MIME message to one recipient. */
  sendMime(body: SendMimeEmailRequest, options?: SendOptions): Call<AcceptedEmail> {
    return this.call('post', '/emails/mime', { body, options, isKeyed: true })
  }

  /** Sends an email again, as a new email. */
  resend(id: string, body: ResendEmailRequest = {}, options?: SendOptions): Call<AcceptedEmail> {
    return this.call('post', '/emails/{id}/resend', { ids: [id], body, options, isKeyed: true })
  }

  /** Returns the message as sent, with its DKIM signatures. */
  raw(id: string, options?: CallOptions): Call<Uint8Array> {
    return this.bytes('/emails/{id}/raw', { ids: [id], options })
  }

  /** Lists the attachments of an email, with links to download them. */
  attachments(
    id: string,
    query?: Filters<'/emails/{id}/attachments'>,
    options?: CallOptions,
  ): ListCall<EmailAttachmentList> {
    return this.page('/emails/{id}/attachments', query, options, [id])
  }

  /** Returns a public link to an email that expires after 48 hours or `expires_in`. */
  share(id: string, body: ShareEmailRequest = {}, options?: CallOptions): Call<SharedEmail> {
    return this.call('post', '/emails/{id}/share', { ids: [id], body, options, isSafe: true })
  }

  /** Returns the content of an attachment, by its index in the email. */
  attachment(id: string, index: number, options?: CallOptions): Call<Uint8Array> {
    return this.bytes('/emails/{id}/attachments/{index}', { ids: [id, String(index)], options })
  }

  /** Renders components and encodes files, then starts the call. */
  private prepared<T>(emails: readonly SendEmail[], call: (bodies: readonly object[]) => Call<T>): Call<T> {
    return startCall(async () => {
      const bodies = await Promise.all(emails.map((email) => toBody(email, this.#render)))
      const { data, error, headers } = await call(bodies)
      if (error !== null) throw error
      return { data, headers }
    })
  }

  /** Lists emails, newest first. */
  list(query?: Filters<'/emails'>, options?: CallOptions): ListCall<EmailSummaryList> {
    return this.page('/emails', query, options)
  }

  /** Returns an email with its content, the status of each recipient, and its events. */
  get(id: string, options?: CallOptions): Call<Email> {
    return this.call('get', '/emails/{id}', { ids: [id], options })
  }

  /** Moves a scheduled email to another time. */
  reschedule(id: string, body: { scheduled_at: string | Date }, options?: CallOptions): Call<EmailRef> {
    return this.call('patch', '/emails/{id}', { ids: [id], body: body as RescheduleEmailRequest, options })
  }

  /** Cancels a scheduled email. */
  cancel(id: string, options?: CallOptions): Call<EmailRef> {
    return this.call('post', '/emails/{id}/cancel', { ids: [id], options })
  }

  /** Lists the delivery attempts of an email with their SMTP transcripts. */
  attempts(
    id: string,
    query?: Filters<'/emails/{id}/attempts'>,
    options?: CallOptions,
  ): ListCall<AttemptList> {
    return this.page('/emails/{id}/attempts', query, options, [id])
  }

  /** Checks whether an address can receive email. */
  validate(body: ValidateAddressRequest, options?: CallOptions): Call<AddressValidation> {
    return this.call('post', '/emails/validate', { body, options, isSafe: true })
  }

  /** Returns counts and rates by hour or day. */
  metrics(query?: Filters<'/emails/metrics'>, options?: CallOptions): Call<EmailMetrics> {
    return this.call('get', '/emails/metrics', { query, options })
  }
}

async function toBody(
  { react, attachments, ...email }: SendEmail,
  render: Render | undefined,
): Promise<object> {
  if (react !== undefined && render === undefined) {
    throw new SendwrightError({
      name: 'invalid_request',
      message: "To send React components, import Sendwright from '@sendwright/sdk/react'.",
    })
  }
  return {
    ...email,
    ...(react === undefined || render === undefined ? {} : { html: await render(react) }),
    ...(attachments == null ? {} : { attachments: attachments.map(encodeFile) }),
  }
}

function encodeFile({ content, ...file }: Attachment): object {
  if (content == null) return file
  return { ...file, content: typeof content === 'string' ? content : toBase64(content) }
}
