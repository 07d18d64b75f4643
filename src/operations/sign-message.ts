import { hash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { type DkimKey, signMessage } from '../mime/dkim.ts'
import { makeReturnPath } from '../mime/return-path.ts'
import type { LoadedMessage } from '../queue/types.ts'
import type { Db } from '../store/db.ts'
import { findEnvelopeSender } from '../store/envelope-senders.ts'
import { loadDkimKeys } from './domain-keys.ts'
import { returnPathHost } from './domain-records.ts'

/** What every email of a domain has in common on its way out. */
export interface Sender {
  teamTag: string
  /** A-label, lower case; null once the domain is deleted. */
  domainName: string | null
  returnPathHost: string
  tls: 'opportunistic' | 'enforced'
  keys: readonly DkimKey[]
}

/** An email in the words that signing needs. */
export interface Signable {
  teamId: string
  domainId: string
  emailId: string
  createdAt: Date
}

export interface Signer {
  sender(email: Pick<Signable, 'teamId' | 'domainId'>): Promise<Sender>
  /** The DKIM-Signature fields to put in front; made once an email and form, however many recipients and tries. */
  sign(email: Signable, message: LoadedMessage): Promise<Buffer>
  /** The envelope's sender of one recipient (VERP): bounces name whom they are about. */
  returnPath(sender: Sender, emailId: string, no: number): string
}

/** A changed or deleted domain is noticed after this. */
const SENDER_MS = 30_000
const SENDERS_MAX = 10_000
const SIGNATURES_MAX = 2000

/**
 * Signatures are a function of the message, the key and the time of acceptance (`t=`), so that a retry and
 * `GET /emails/{id}/raw` bear the very bytes that were first sent, without storing them.
 */
export function createSigner(deps: {
  db: Db
  clock: Clock
  masterKey: Buffer
  returnPathKey: Buffer
  /** Host of return paths for domains without one of their own. */
  hostname: string
}): Signer {
  const senders = new Map<string, { sender: Promise<Sender>; untilMs: number }>()
  const signatures = new Map<string, Promise<Buffer>>()

  async function loadSender(teamId: string, domainId: string): Promise<Sender> {
    const [envelope, keys] = await Promise.all([
      findEnvelopeSender(deps.db, teamId, domainId),
      loadDkimKeys(deps.db, deps.masterKey, teamId, domainId),
    ])
    if (envelope === null) throw new Error(`Team ${teamId} does not exist.`)
    const own = envelope.returnPathVerified && envelope.domainName !== null
    return {
      teamTag: envelope.teamTag,
      domainName: envelope.domainName,
      returnPathHost: own ? returnPathHost(envelope.domainName as string) : deps.hostname,
      tls: envelope.tls,
      keys,
    }
  }

  function sender({ teamId, domainId }: Pick<Signable, 'teamId' | 'domainId'>): Promise<Sender> {
    const nowMs = deps.clock.now().getTime()
    const key = `${teamId}/${domainId}`
    const known = senders.get(key)
    if (known !== undefined && known.untilMs > nowMs) return known.sender
    const loading = loadSender(teamId, domainId)
    loading.catch(() => senders.delete(key))
    senders.delete(key)
    senders.set(key, { sender: loading, untilMs: nowMs + SENDER_MS })
    forgetOldest(senders, SENDERS_MAX)
    return loading
  }

  return {
    sender,
    sign(email, message) {
      const form = message.sevenBit === true ? '7bit' : 'stored'
      const key = `${email.emailId}/${form}/${hashHeader(message.bytes)}`
      const known = signatures.get(key)
      if (known !== undefined) return known
      const signing = sender(email).then(({ keys }) => signMessage(message.bytes, keys, email.createdAt))
      signing.catch(() => signatures.delete(key))
      signatures.set(key, signing)
      forgetOldest(signatures, SIGNATURES_MAX)
      return signing
    },
    returnPath: ({ teamTag, returnPathHost: host }, emailId, no) =>
      `${makeReturnPath(deps.returnPathKey, teamTag, emailId, no)}@${host}`,
  }
}

/** A rescheduled email has another Date and needs another signature, whichever process rescheduled it. */
function hashHeader(message: Buffer): string {
  return hash('sha1', message.subarray(0, message.indexOf('\r\n\r\n')), 'base64')
}

function forgetOldest(map: Map<string, unknown>, countMax: number): void {
  if (map.size <= countMax) return
  const oldest = map.keys().next()
  if (oldest.done !== true) map.delete(oldest.value)
}
