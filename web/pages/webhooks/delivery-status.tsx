import { Badge } from '@mantine/core'
import type { WebhookDelivery } from '../../api/records.ts'

const WORDS = {
  delivered: ['green', 'Delivered'],
  failed: ['red', 'Failed'],
  waiting: ['blue', 'Waiting'],
} as const

/** Waiting before the first try, or between two. */
export function DeliveryStatus({
  delivery: { status, attempt_count: count },
}: {
  delivery: Pick<WebhookDelivery, 'status' | 'attempt_count'>
}) {
  const [color, word] = WORDS[status]
  return status === 'waiting' && count > 0 ? (
    <Badge color="orange">Tried again</Badge>
  ) : (
    <Badge color={color}>{word}</Badge>
  )
}
