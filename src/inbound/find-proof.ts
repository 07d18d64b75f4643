import type { ReturnedMessage } from '../classification/dsn.ts'
import { type ReturnPath, readReturnPath } from '../mime/return-path.ts'
import { readUnsubscribeAddress } from '../mime/unsubscribe-address.ts'

/** The keys of the addresses that only this installation can create. */
export interface AddressKeys {
  returnPath: Buffer
  unsubscribe: Buffer
}

/** A return path or an unsubscribe address in any field: Return-Path, Received-SPF, Authentication-Results ... */
const TOKEN = /(?<![a-z0-9])(?:unsub-)?[a-z2-7]{52}(?=[@=]|=40)/gi
/** The limit on candidates, each of which costs an HMAC. */
const CANDIDATES_MAX = 50

/**
 * Returns the recipient of a returned message if its header proves it: an address that nobody else can create and
 * that only this copy contained (docs/adr/0014). Returns null without such a proof.
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
