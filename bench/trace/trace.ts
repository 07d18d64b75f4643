import { readFileSync } from 'node:fs'

/** One line of a trace. Times are in milliseconds since the epoch. */
export interface TraceLine {
  /** A step of an email, a long turn of the event loop, a garbage collection or a long statement. */
  kind: 'step' | 'loop' | 'gc' | 'sql'
  emailId?: string
  what: string
  fromMs: number
  ms: number
}

/** An email as its sender and its recipient's server saw it. */
export interface TracedEmail {
  recipient: string
  emailId: string
  sentMs: number
  attemptedMs: number
}

const SHOWN_COUNT = 4

/**
 * Describes where the time of some emails went: the slowest ones, and the median for comparison. Under each, the long turns,
 * collections and statements of the server meanwhile, which need not have delayed it.
 */
export function describeTrace(path: string, emails: readonly TracedEmail[]): string {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TraceLine)
  const steps = Map.groupBy(
    lines.filter(({ kind }) => kind === 'step'),
    ({ emailId }) => emailId,
  )
  const others = lines.filter(({ kind }) => kind !== 'step')
  const slowestFirst = emails.toSorted((a, b) => waitOf(b) - waitOf(a))
  const shown = slowestFirst.slice(0, SHOWN_COUNT)
  const median = slowestFirst[Math.floor(slowestFirst.length / 2)]
  if (median !== undefined) shown.push(median)
  return [
    describeMean(
      slowestFirst.slice(0, Math.ceil(emails.length / 20)),
      steps,
      'mean of the slowest twentieth',
    ),
    describeMean(slowestFirst, steps, 'mean of all'),
    ...shown.map((email) => describeEmail(email, steps.get(email.emailId) ?? [], others)),
  ].join('\n')
}

function waitOf({ sentMs, attemptedMs }: TracedEmail): number {
  return attemptedMs - sentMs
}

/** Returns the duration before each step, and the total. */
function durationsOf(email: TracedEmail, steps: readonly TraceLine[]): [string, number][] {
  let lastMs = email.sentMs
  const times = [
    ...steps.toSorted((a, b) => a.fromMs - b.fromMs).map(({ what, fromMs }) => [what, fromMs] as const),
    ['RCPT', email.attemptedMs] as const,
  ]
  return times.map(([what, atMs]) => {
    const ms = atMs - lastMs
    lastMs = atMs
    return [what, ms]
  })
}

type Steps = ReadonlyMap<string | undefined, readonly TraceLine[]>

function describeMean(emails: readonly TracedEmail[], steps: Steps, title: string): string {
  const sums = new Map<string, number>()
  for (const email of emails) {
    for (const [what, ms] of durationsOf(email, steps.get(email.emailId) ?? []))
      sums.set(what, (sums.get(what) ?? 0) + ms)
  }
  const total = emails.reduce((sum, email) => sum + waitOf(email), 0)
  return `${title}: ${format([...sums].map(([what, ms]) => [what, ms / emails.length]))} = ${(total / emails.length).toFixed(1)} ms`
}

function describeEmail(
  email: TracedEmail,
  steps: readonly TraceLine[],
  others: readonly TraceLine[],
): string {
  const beside = others
    .filter(({ fromMs, ms }) => fromMs < email.attemptedMs && fromMs + ms > email.sentMs)
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .map(({ kind, what, fromMs, ms }) => {
      const from = (fromMs - email.sentMs).toFixed(1)
      return `    ${kind} from ${from} for ${ms.toFixed(1)} ms ${what}`.trimEnd()
    })
  const head = `${email.recipient}: ${format(durationsOf(email, steps))} = ${waitOf(email).toFixed(1)} ms`
  return [head, ...beside].join('\n')
}

function format(durations: readonly (readonly [string, number])[]): string {
  return durations.map(([what, ms]) => `${what} +${ms.toFixed(1)}`).join(', ')
}
