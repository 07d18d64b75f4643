import type { ReturnedMessage } from '../classification/dsn.ts'
import { type ReturnPath, readReturnPath } from '../mime/return-path.ts'
import { readUnsubscribeAddress } from '../mime/unsubscribe-address.ts'

/** The keys behind the addresses that only we can make. */
export interface AddressKeys {
  returnPath: Buffer
  unsubscribe: Buffer
}

/** A return path or an unsubscribe address, wherever it stands: Return-Path, Received-SPF, Authentication-Results ... */
const TOKEN = /(?<![a-z0-9])(?:unsub-)?[a-z2-7]{52}(?=[@=]|=40)/gi
/** Candidates looked at: each costs an HMAC. */
const CANDIDATES_MAX = 50

/**
 * Which recipient a message that came back was sent to, as far as it proves that itself: by an address of ours in its
 * header that nobody else can make and that only this copy had (docs/adr/0014). Null without such a proof.
 */
export function findProof(keys: AddressKeys, { returnPath, header }: ReturnedMessage): ReturnPath | null {
  const text = `${returnPath ?? ''}\n${header?.toString('latin1') ?? ''}`
  let count = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (++count > CANDIDATES_MAX) return null
    const proven = readReturnPath(keys.returnPath, token) ?? readUnsubscribeAddress(keys.unsubscribe, token)
    if (proven !== null) return proven
  }
  return null
}
