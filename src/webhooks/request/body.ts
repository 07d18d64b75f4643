import { formatTime } from '../../lib/time/format-time.ts'

/** What one webhook tells: an event of the feed, or the example that a test sends. */
export interface WebhookPayload {
  type: string
  createdAt: Date
  data: Record<string, unknown>
}

/** The body of a webhook. Made again for every try, and the same each time: it is what the signature is over. */
export function writeWebhookBody({ type, createdAt, data }: WebhookPayload): string {
  return JSON.stringify({ type, created_at: formatTime(createdAt), data })
}
