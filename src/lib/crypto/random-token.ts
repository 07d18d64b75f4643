import { hash, randomBytes } from 'node:crypto'

/** As strong as SHA-256: guessing is infeasible, so a slow hash is unnecessary. */
const TOKEN_BYTES = 32

/** Returns a new bearer token in base64url, and its hash, which is all that is stored. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** Returns the SHA-256 of a secret too random to be guessed, for storage. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
