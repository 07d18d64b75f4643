import type { Sender } from '../support/senders.ts'
import { nowMs } from './mail-sites.ts'
import { type SteadySending, sendSteadily } from './send-steadily.ts'
import { waitsOf, waitUntil } from './waits.ts'
import type { World } from './world.ts'

/** An email that waits this long misses every target. */
const ATTEMPT_LIMIT_MS = 120_000

export interface Waited extends Pick<SteadySending, 'requests' | 'failures'> {
  /** The milliseconds from each request to RCPT TO. */
  waits: number[]
}

export interface Sending {
  label: string
  seconds: number
  /** Of all senders together; one by default. */
  perSecond?: number
  /** Returns the domain of email `number` of each sender, counted from 0. */
  domainAt(number: number): string
  /** Returns whether to wait for an email, and to count its wait; all by default. */
  isMeasured?(recipient: string): boolean
}

/** Sends emails at a steady rate, and waits until each was attempted. */
export async function sendAndWait(
  world: World,
  senders: readonly Sender[],
  { label, seconds, perSecond = 1, domainAt, isMeasured = () => true }: Sending,
): Promise<Waited> {
  if (senders.length === 0) throw new Error(`there is no sender for ${label}`)
  const { sent, emailIds, requests, failures } = await sendSteadily({
    port: world.product.port,
    senders,
    perSecond,
    seconds,
    recipientAt: (number, sender) => `${label}${sender}-${number}@${domainAt(number)}`,
  })
  const measured = new Map([...sent].filter(([recipient]) => isMeasured(recipient)))
  const { firstAttempts } = world.sites
  await waitUntil(
    () => [...measured.keys()].every((recipient) => firstAttempts.has(recipient)),
    ATTEMPT_LIMIT_MS,
  )
  const traced = [...measured].map(([recipient, sentMs]) => ({
    recipient,
    emailId: emailIds.get(recipient) ?? '',
    sentMs,
    attemptedMs: firstAttempts.get(recipient) ?? nowMs(),
  }))
  world.noteTraced(label, traced)
  return { waits: waitsOf(measured, firstAttempts), requests, failures }
}
