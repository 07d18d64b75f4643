import { Badge } from '@mantine/core'

/**
 * Colours of states, the same on every page. The badge has the word as well, because colour alone is not accessible.
 */
const COLORS: Readonly<Record<string, string>> = {
  delivered: 'green',
  verified: 'green',
  active: 'green',
  published: 'green',
  completed: 'green',
  enabled: 'green',
  open: 'green',
  ok: 'green',
  sent: 'blue',
  queued: 'blue',
  scheduled: 'blue',
  sending: 'blue',
  running: 'blue',
  probing: 'blue',
  processing: 'blue',
  pending: 'yellow',
  delivery_delayed: 'orange',
  deferred: 'orange',
  temporary_failure: 'orange',
  partially_delivered: 'orange',
  paused: 'orange',
  bounced: 'red',
  failed: 'red',
  rejected: 'red',
  complained: 'red',
  revoked: 'red',
  disabled: 'red',
  stopped: 'red',
  suppressed: 'grape',
}

/** Formats a state for display: `delivery_delayed` becomes "Delivery delayed". */
export const showWord = (word: string): string => {
  const text = word.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function StatusBadge({ status }: { status: string }) {
  return <Badge color={COLORS[status] ?? 'gray'}>{showWord(status)}</Badge>
}
