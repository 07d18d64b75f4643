import type { Sender } from '../support/senders.ts'
import { nowMs } from './mail-sites.ts'
import { sendSteadily } from './send-steadily.ts'
import { waitsOf, waitUntil } from './waits.ts'
import type { World } from './world.ts'

const ATTEMPT_LIMIT_MS = 60_000

/** The milliseconds from each request to RCPT TO, and the requests that failed. */
export interface Waited {
  waits: number[]
  failures: string[]
}

export interface Sending {
  label: string
  domain: string
  seconds: number
  perSecond?: number
}

/** Sends emails at a steady rate to a domain, one a second by default, and waits until each was attempted. */
export async function sendAndWait(
  world: World,
  sender: Sender | undefined,
  { label, domain, seconds, perSecond = 1 }: Sending,
): Promise<Waited> {
  if (sender === undefined) throw new Error(`there is no sender for ${label}`)
  const { sent, emailIds, failures } = await sendSteadily({
    port: world.product.port,
    key: sender.key,
    from: sender.from,
    perSecond,
    seconds,
    recipientAt: (number) => `${label}-${number}@${domain}`,
  })
  const { firstAttempts } = world.sites
  await waitUntil(() => [...sent.keys()].every((recipient) => firstAttempts.has(recipient)), ATTEMPT_LIMIT_MS)
  const waits = waitsOf(sent, firstAttempts)
  const traced = [...sent].map(([recipient, sentMs]) => ({
    recipient,
    emailId: emailIds.get(recipient) ?? '',
    sentMs,
    attemptedMs: firstAttempts.get(recipient) ?? nowMs(),
  }))
  world.noteTraced(label, traced)
  return { waits, failures }
}
