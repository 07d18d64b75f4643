import { hash } from 'node:crypto'
import type { Db } from '../../db/db-types.ts'
import { loadDkimKeys, type SigningKey } from '../../domains/domain-keys.ts'
import { returnPathHost } from '../../domains/domain-records.ts'
import { findEnvelopeSender } from '../../emails/accept/envelope-senders-queries.ts'
import { AnswerCache } from '../../lib/async/answer-cache.ts'
import { signMessage } from '../../mime/dkim.ts'
import { makeReturnPath } from '../../mime/return-path.ts'
import { chooseForm, rulesOfForm, type SignatureForm } from '../../mime/signature-form.ts'
import type { LoadedMessage } from '../../queue/types.ts'
import { SignaturesAhead } from './signatures-ahead.ts'

/** The signing data that all emails of a domain share. */
export interface SigningDomain {
  teamTag: string
  /** A-label, lower case; null once the domain is deleted. */
  domainName: string | null
  returnPathHost: string
  tls: 'opportunistic' | 'enforced'
  keys: readonly SigningKey[]
}

/** The fields of an email that signing needs. */
export interface Signable {
  teamId: string
  domainId: string
  emailId: string
  createdAt: Date
  /** With one recipient, the signature is not cached. */
  recipientCount?: number
}

export interface Signer {
  sender(email: Pick<Signable, 'teamId' | 'domainId'>): Promise<SigningDomain>
  /**
   * Returns the DKIM-Signature fields to prepend. The recipients of an email share one signature for each form.
   * @param form null before the email was sent: the form that it would have without a relay
   */
  sign(email: Signable, message: LoadedMessage, form: SignatureForm | null): Promise<Buffer>
  /**
   * Begins the signature of an email that is about to be delivered, in the form that `sign` will probably be asked for.
   */
  signAhead(email: Signable, message: LoadedMessage): void
  /** Returns the envelope sender for one recipient (VERP), so that a bounce identifies the recipient. */
  returnPath(sender: SigningDomain, emailId: string, no: number): string
}

/** How long a changed or deleted domain may go unnoticed. */
const SENDERS = { keptMs: 30_000, countMax: 10_000 }
const SIGNATURES = { keptMs: Number.POSITIVE_INFINITY, countMax: 2000 }

/**
 * Creates the signer. A signature depends only on the message, the key, its form and the time of acceptance (`t=`), so
 * that a retry and `GET /emails/{id}/raw` carry exactly the bytes first sent, and only the form is stored.
 */
export function createSigner(deps: {
  db: Db
  masterKey: Buffer
  returnPathKey: Buffer
  /** Host of return paths for domains without their own. */
  hostname: string
}): Signer {
  const senders = new AnswerCache<SigningDomain>(SENDERS)
  const signatures = new AnswerCache<Buffer>(SIGNATURES)
  const ahead = new SignaturesAhead()
  /** The form of the last signature: most servers send all their mail directly, or all through a relay. */
  let lastForm: SignatureForm | null = null

  async function loadSender(teamId: string, domainId: string): Promise<SigningDomain> {
    const [envelope, keys] = await Promise.all([
      findEnvelopeSender(deps.db, teamId, domainId),
      loadDkimKeys(deps.db, deps.masterKey, teamId, domainId),
    ])
    if (envelope === null) throw new Error(`Team ${teamId} does not exist.`)
    const hasReturnPath = envelope.returnPathVerified && envelope.domainName !== null
    return {
      teamTag: envelope.teamTag,
      domainName: envelope.domainName,
      returnPathHost: hasReturnPath ? returnPathHost(envelope.domainName as string) : deps.hostname,
      tls: envelope.tls,
      keys,
    }
  }

  function sender({ teamId, domainId }: Pick<Signable, 'teamId' | 'domainId'>): Promise<SigningDomain> {
    return senders.get(`${teamId}/${domainId}`, () => loadSender(teamId, domainId))
  }

  async function signNow(
    email: Signable,
    message: LoadedMessage,
    form: SignatureForm | null,
  ): Promise<Buffer> {
    const { keys } = await sender(email)
    return (
      ahead.take(message, form, keys) ??
      signInForm(email, message, form ?? chooseForm([], null, usesEd25519(keys)), keys)
    )
  }

  async function beginAhead(email: Signable, message: LoadedMessage): Promise<void> {
    const { keys } = await sender(email)
    if (keys.length === 0) return
    const isByRelay = lastForm !== null && rulesOfForm(lastForm).isRelay
    const form = isByRelay ? (lastForm as SignatureForm) : chooseForm([], null, usesEd25519(keys))
    ahead.begin(message, { form, keys, signature: signInForm(email, message, form, keys) })
  }

  return {
    sender,
    signAhead(email, message) {
      // The delivery asks for the sender again, and reports why that fails.
      beginAhead(email, message).catch(() => {})
    },
    sign(email, message, form) {
      lastForm = form ?? lastForm
      // Only a retry could use the cached signature, and most are evicted before that.
      if (email.recipientCount === 1 || form === null) return signNow(email, message, form)
      const encoding = message.sevenBit === true ? '7bit' : 'stored'
      const key = `${email.emailId}/${form}/${encoding}/${hashHeader(message.bytes)}`
      return signatures.get(key, () => signNow(email, message, form))
    },
    returnPath: ({ teamTag, returnPathHost: host }, emailId, no) =>
      `${makeReturnPath(deps.returnPathKey, teamTag, emailId, no)}@${host}`,
  }
}

function signInForm(
  { createdAt }: Signable,
  { bytes }: LoadedMessage,
  form: SignatureForm,
  keys: readonly SigningKey[],
): Promise<Buffer> {
  const { hasEd25519, unsigned } = rulesOfForm(form)
  const signingKeys = keys.filter(({ algorithm }) => hasEd25519 || algorithm === 'rsa-sha256')
  return signMessage(bytes, signingKeys, createdAt, unsigned)
}

/** Returns whether a domain's emails carry a second signature. */
export function usesEd25519(keys: readonly SigningKey[]): boolean {
  return keys.some(({ algorithm, isUsed }) => algorithm === 'ed25519-sha256' && isUsed)
}

/** A rescheduled email has another Date and needs a new signature, whichever process rescheduled it. */
function hashHeader(message: Buffer): string {
  return hash('sha1', message.subarray(0, message.indexOf('\r\n\r\n')), 'base64')
}
