import type { WebhookDelivery } from '../../api/records.ts'
import { State } from '../../ui/status-badge.tsx'
import { texts } from './texts.ts'

const WORDS = {
  delivered: ['green', texts.deliveryStatus.delivered],
  failed: ['red', texts.deliveryStatus.failed],
  waiting: ['blue', texts.deliveryStatus.waiting],
} as const

/** The status of a delivery. "Waiting" covers the time before the first attempt and between attempts. */
export function DeliveryStatus({
  delivery: { status, attempt_count: count },
}: {
  delivery: Pick<WebhookDelivery, 'status' | 'attempt_count'>
}) {
  const [color, word] = WORDS[status]
  return status === 'waiting' && count > 0 ? (
    <State tone="amber">{texts.deliveryStatus.retrying}</State>
  ) : (
    <State tone={color}>{word}</State>
  )
}
