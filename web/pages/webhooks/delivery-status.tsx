import type { WebhookDelivery } from '../../api/records.ts'
import { State } from '../../ui/status-badge.tsx'

const WORDS = {
  delivered: ['green', 'Delivered'],
  failed: ['red', 'Failed'],
  waiting: ['blue', 'Waiting'],
} as const

/** The status of a delivery. "Waiting" covers the time before the first attempt and between attempts. */
export function DeliveryStatus({
  delivery: { status, attempt_count: count },
}: {
  delivery: Pick<WebhookDelivery, 'status' | 'attempt_count'>
}) {
  const [color, word] = WORDS[status]
  return status === 'waiting' && count > 0 ? (
    <State tone="amber">Retrying</State>
  ) : (
    <State tone={color}>{word}</State>
  )
}
