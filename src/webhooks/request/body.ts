import { formatTime } from '../../lib/time/format-time.ts'

/** The content of one webhook: an event of the feed, or the example that a test sends. */
export interface WebhookPayload {
  type: string
  createdAt: Date
  data: Record<string, unknown>
}

/**
 * Returns the body of a webhook. It is built again for every attempt with identical bytes, because the signature covers
 * it.
 */
export function writeWebhookBody({ type, createdAt, data }: WebhookPayload): string {
  return JSON.stringify({ type, created_at: formatTime(createdAt), data })
}
