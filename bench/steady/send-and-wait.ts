import type { Sender } from '../support/product.ts'
import { sendSteadily } from './send-steadily.ts'
import { waitsOf, waitUntil } from './waits.ts'
import type { World } from './world.ts'

const ATTEMPT_LIMIT_MS = 60_000

/** The milliseconds from each request to RCPT TO, and the requests that failed. */
export interface Waited {
  waits: number[]
  failures: string[]
}

/** Sends one email a second to a domain, and waits until each was attempted. */
export async function sendAndWait(
  world: World,
  sender: Sender | undefined,
  { label, domain, seconds }: { label: string; domain: string; seconds: number },
): Promise<Waited> {
  if (sender === undefined) throw new Error(`there is no sender for ${label}`)
  const { sent, failures } = await sendSteadily({
    port: world.product.port,
    key: sender.key,
    from: sender.from,
    perSecond: 1,
    seconds,
    recipientAt: (number) => `${label}-${number}@${domain}`,
  })
  const { firstAttempts } = world.sites
  await waitUntil(() => [...sent.keys()].every((recipient) => firstAttempts.has(recipient)), ATTEMPT_LIMIT_MS)
  return { waits: waitsOf(sent, firstAttempts), failures }
}
