import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotStart } from '../cannot-start.ts'
import { giveToOwnerOf } from '../owner.ts'

const KEY_BYTES = 32
/** NIST SP 800-38D section 8.2.2: random nonces of 96 bits; we seal far fewer than 2^32 values with one key. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The first byte of a sealed value, so that the format can change. */
const VERSION = 1
const SECRET_FILE = 'secret-key'

/**
 * Returns the installation's master key, 32 bytes. It comes from `configured` (SENDWRIGHT_SECRET_KEY) when that is set,
 * else from the file `secret-key` in the data directory, which is created on first use and readable by its owner only.
 * Throws CannotStart when the file cannot be read or created.
 */
export async function openSecret(dataDir: string, configured: string | null): Promise<Buffer> {
  return digestSecret(configured ?? readSecretFile(dataDir) ?? makeSecretFile(dataDir))
}

/** Derives the master key from a secret's text. */
export function digestSecret(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

/** Returns the secret's text as configured or stored, or null if there is none yet. Throws CannotStart. */
export function findSecretText(dataDir: string, configured: string | null): string | null {
  return configured ?? readSecretFile(dataDir)
}

/** Key purposes that several modules use. */
export const UNSUBSCRIBE_ADDRESSES = 'unsubscribe addresses'
export const UNSUBSCRIBE_LINKS = 'unsubscribe links'
export const TRACKING_LINKS = 'tracking links'
export const SHARE_LINKS = 'share links'

/** Derives a key for one purpose; keys of two purposes reveal nothing about each other or the master key (RFC 5869). */
export function deriveKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, 'sendwright', purpose, KEY_BYTES))
}

/**
 * Encrypts with AES-256-GCM. `context` names the value and its owner, for example `dkim <team> <domain>`: it is not
 * part of the result, but a sealed value moved to another row does not open.
 */
export function seal(key: Buffer, plaintext: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context, 'utf8'))
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), nonce, sealed, cipher.getAuthTag()])
}

/** Decrypts a value of `seal`. Throws when the key or the context differs, or a byte has changed. */
export function unseal(key: Buffer, sealed: Buffer, context: string): Buffer {
  const tagAt = sealed.length - TAG_BYTES
  if (sealed[0] !== VERSION || tagAt < 1 + NONCE_BYTES) throw new Error('A sealed value has an unknown form.')
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(sealed.subarray(tagAt))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, tagAt)), decipher.final()])
  } catch (error) {
    throw new Error(
      'A sealed value does not open: it was sealed with another SENDWRIGHT_SECRET_KEY, or changed.',
      {
        cause: error,
      },
    )
  }
}

function readSecretFile(dataDir: string): string | null {
  const path = join(dataDir, SECRET_FILE)
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (text.length >= KEY_BYTES) return text
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new CannotStart(`The secret key ${path} cannot be read (${code}).`, { cause: error })
  }
  // A new key in its place would make every sealed private key unreadable, so the operator must decide.
  throw new CannotStart(`The secret key ${path} is damaged: restore it from a backup.`)
}

/** Linked into place when complete; of two processes that start at once the first one's key is used by both. */
export function makeSecretFile(
  dataDir: string,
  text: string = randomBytes(KEY_BYTES).toString('base64url'),
): string {
  const path = join(dataDir, SECRET_FILE)
  const temporaryPath = `${path}.${process.pid}`
  try {
    writeFileSync(temporaryPath, `${text}\n`, { mode: 0o600, flush: true })
    giveToOwnerOf(dataDir, temporaryPath)
    linkSync(temporaryPath, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') {
      throw new CannotStart(`The secret key ${path} cannot be made (${code}).`, { cause: error })
    }
  } finally {
    rmSync(temporaryPath, { force: true })
  }
  return readSecretFile(dataDir) as string
}

/** Removes the key of a restore that failed. */
export function removeSecretFile(dataDir: string): void {
  rmSync(join(dataDir, SECRET_FILE), { force: true })
}
