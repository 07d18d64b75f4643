/** The services whose exports `sendwright import` reads. */
export const ORIGINS = ['resend', 'postmark', 'sendgrid', 'mailgun', 'ses'] as const
export type ImportOrigin = (typeof ORIGINS)[number]

export const ORIGIN_NAMES: Readonly<Record<ImportOrigin, string>> = {
  resend: 'Resend',
  postmark: 'Postmark',
  sendgrid: 'SendGrid',
  mailgun: 'Mailgun',
  ses: 'SES',
}

/** A record, or a part of one, that cannot be imported. */
export interface Skipped {
  place: string
  message: string
}
