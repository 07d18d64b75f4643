import type { ReactNode } from 'react'

/** Blue: in progress. Green: good. Amber: late or incomplete. Red: failed. Violet: suppressed. Gray: none of these. */
export type Tone = 'blue' | 'green' | 'amber' | 'red' | 'violet' | 'gray'

/** Colours of states, the same on every page. */
const TONES: Readonly<Record<string, Tone>> = {
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
  pending: 'amber',
  delivery_delayed: 'amber',
  deferred: 'amber',
  temporary_failure: 'amber',
  partially_delivered: 'amber',
  paused: 'amber',
  bounced: 'red',
  failed: 'red',
  rejected: 'red',
  complained: 'red',
  revoked: 'red',
  disabled: 'red',
  stopped: 'red',
  suppressed: 'violet',
}

/** The field's words for states whose name in the API differs. */
const WORDS: Readonly<Record<string, string>> = {
  delivery_delayed: 'Deferred',
  canceled: 'Canceled',
  cancelled: 'Canceled',
}

/** Formats a state for display: `partially_delivered` becomes "Partially delivered". */
export const showWord = (word: string): string => {
  const text = WORDS[word] ?? word.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the colour of a state that the API names. */
export const toneOf = (status: string): Tone => TONES[status] ?? 'gray'

/** A state of a record, as the API names it. */
export function StatusBadge({ status }: { status: string }) {
  return <State tone={toneOf(status)}>{showWord(status)}</State>
}

/** A state: a dot in its colour, and its word, because colour alone is not accessible. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="state">
      <span className="dot" data-tone={tone} aria-hidden />
      <span>{children}</span>
    </span>
  )
}
