import { createHash, randomBytes } from 'node:crypto'

/** As many bits as SHA-256 keeps apart: nobody guesses one, so no slow hash is needed. */
const TOKEN_BYTES = 32

/** A token for somebody to hold, in base64url, and its hash, which is all that is kept. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** What is kept of a secret that is too random to be guessed: its SHA-256. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
