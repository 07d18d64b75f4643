import { parseMailbox } from '../mime/address.ts'
import type { CampaignContent } from './rows/campaigns-queries.ts'

/** Control characters: the subject becomes a header field, which a line break would end, and mail clients show both in one line. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u

/** Refuses a subject, preview text or reply address that no email could have. */
export function validateHead(
  { subject, previewText, replyTo }: Pick<CampaignContent, 'subject' | 'previewText' | 'replyTo'>,
  refuse: (field: string, message: string) => void,
): void {
  for (const [field, text] of [
    ['subject', subject],
    ['preview_text', previewText],
  ] as const) {
    if (text === null || !CONTROL.test(text)) continue
    refuse(field, `The ${field} field must not contain line breaks or control characters.`)
  }
  if (replyTo !== null && parseMailbox(replyTo) === null) {
    refuse('reply_to', 'The reply_to field must be a valid email address.')
  }
}
