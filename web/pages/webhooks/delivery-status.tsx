import { Badge } from '@mantine/core'
import type { WebhookDelivery } from '../../api/records.ts'

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
    <Badge color="orange">Retrying</Badge>
  ) : (
    <Badge color={color}>{word}</Badge>
  )
}
