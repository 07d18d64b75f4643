import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What the service asks a browser for, as far as an authenticator minds. */
interface Asked {
  challenge: string
  rp?: { id: string }
  rpId?: string
  user?: { id: string }
  allowCredentials?: { id: string }[]
}

/** What an attacker, or a browser with a mind of its own, does otherwise. */
export interface Otherwise {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  isVerified?: boolean
  isPresent?: boolean
  signCount?: number
  userHandle?: string | null
  /** Another credential's id over this one's signature. */
  credentialId?: string
  attestation?: { format: string; statement: Buffer }
}

export interface Authenticator {
  credentialId: string
  /** How often it signed. */
  signCount: number
  create(asked: Asked, otherwise?: Otherwise): object
  get(asked: Asked, otherwise?: Otherwise): object
  /** The same keys and the same counter in another place. */
  copy(): Authenticator
}

interface Inside {
  privateKey: KeyObject
  publicKey: KeyObject
  credentialId: Buffer
  userHandle: string
  signCount: number
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/** A passkey's authenticator in software, made from WebAuthn level 3 (sections 5.8.1, 6.1, 6.5) and RFC 8949 alone. */
export function createAuthenticator(origin: string, { counts = true } = {}): Authenticator {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return standIn(origin, counts, { ...pair, credentialId: randomBytes(32), userHandle: '', signCount: 0 })
}

function standIn(origin: string, counts: boolean, inside: Inside): Authenticator {
  const clientData = (type: string, asked: Asked, otherwise: Otherwise) =>
    Buffer.from(
      JSON.stringify({
        type: otherwise.type ?? type,
        challenge: otherwise.challenge ?? asked.challenge,
        origin: otherwise.origin ?? origin,
        crossOrigin: otherwise.crossOrigin ?? false,
      }),
    )
  const answer = (response: object, otherwise: Otherwise) => {
    const id = otherwise.credentialId ?? inside.credentialId.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    }
  }
  return {
    credentialId: inside.credentialId.toString('base64url'),
    get signCount() {
      return inside.signCount
    },
    create(asked, otherwise = {}) {
      inside.userHandle = asked.user?.id ?? ''
      const { format, statement } = otherwise.attestation ?? { format: 'none', statement: map([]) }
      const data = authenticatorData(otherwise.rpId ?? asked.rp?.id ?? '', otherwise, inside, true)
      const attestation = map([
        [text('fmt'), text(format)],
        [text('attStmt'), statement],
        [text('authData'), octets(data)],
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', asked, otherwise).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal', 'hybrid'],
      }
      return answer(response, otherwise)
    },
    get(asked, otherwise = {}) {
      if (counts) inside.signCount++
      const client = clientData('webauthn.get', asked, otherwise)
      const data = authenticatorData(otherwise.rpId ?? asked.rpId ?? '', otherwise, inside, false)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), inside.privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: otherwise.userHandle === undefined ? inside.userHandle : otherwise.userHandle,
      }
      return answer(response, otherwise)
    },
    copy: () => standIn(origin, counts, { ...inside }),
  }
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

function authenticatorData(rpId: string, otherwise: Otherwise, inside: Inside, isNew: boolean): Buffer {
  const head = Buffer.alloc(5)
  const isPresent = otherwise.isPresent ?? true
  const isVerified = otherwise.isVerified ?? true
  head[0] = (isPresent ? PRESENT : 0) | (isVerified ? VERIFIED : 0) | (isNew ? HAS_CREDENTIAL : 0)
  head.writeUInt32BE(otherwise.signCount ?? inside.signCount, 1)
  const parts: Buffer[] = [sha256(rpId), head]
  if (isNew) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(inside.credentialId.length)
    parts.push(Buffer.alloc(16), length, inside.credentialId, coseKey(inside.publicKey))
  }
  return Buffer.concat(parts)
}

/** RFC 9053 section 7.1.1: key type EC2, ES256, curve P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return map([
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), octets(Buffer.from(x, 'base64url'))],
    [integer(-3), octets(Buffer.from(y, 'base64url'))],
  ])
}

/** RFC 8949 section 3: a major type and an argument of up to 16 bits. */
function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.of((major << 5) | argument)
  if (argument < 256) return Buffer.of((major << 5) | 24, argument)
  return Buffer.of((major << 5) | 25, argument >> 8, argument & 0xff)
}

const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const octets = (bytes: Buffer) => Buffer.concat([head(2, bytes.length), bytes])
const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])
