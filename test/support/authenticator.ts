import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The options that the service sends to a browser, as far as an authenticator needs them. */
interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
  user?: { id: string }
  allowCredentials?: { id: string }[]
}

/** Deviations of an attacker or a faulty browser. */
export interface Deviations {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  isVerified?: boolean
  isPresent?: boolean
  signCount?: number
  userHandle?: string | null
  /** The id of another credential with the signature of this one. */
  credentialId?: string
  attestation?: { format: string; statement: Buffer }
}

export interface Authenticator {
  credentialId: string
  /** Number of signatures. */
  signCount: number
  create(options: Options, deviations?: Deviations): object
  get(options: Options, deviations?: Deviations): object
  /** Returns a copy with the same keys and the same counter. */
  copy(): Authenticator
}

interface State {
  privateKey: KeyObject
  publicKey: KeyObject
  credentialId: Buffer
  userHandle: string
  signCount: number
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/**
 * Creates a software authenticator for passkeys, based only on WebAuthn level 3 (sections 5.8.1, 6.1, 6.5) and RFC
 * 8949.
 */
export function createAuthenticator(origin: string, { counts = true } = {}): Authenticator {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return createWith(origin, counts, { ...pair, credentialId: randomBytes(32), userHandle: '', signCount: 0 })
}

function createWith(origin: string, counts: boolean, state: State): Authenticator {
  const clientData = (type: string, options: Options, deviations: Deviations) =>
    Buffer.from(
      JSON.stringify({
        type: deviations.type ?? type,
        challenge: deviations.challenge ?? options.challenge,
        origin: deviations.origin ?? origin,
        crossOrigin: deviations.crossOrigin ?? false,
      }),
    )
  const answer = (response: object, deviations: Deviations) => {
    const id = deviations.credentialId ?? state.credentialId.toString('base64url')
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
    credentialId: state.credentialId.toString('base64url'),
    get signCount() {
      return state.signCount
    },
    create(options, deviations = {}) {
      state.userHandle = options.user?.id ?? ''
      const { format, statement } = deviations.attestation ?? { format: 'none', statement: map([]) }
      const data = authenticatorData(deviations.rpId ?? options.rp?.id ?? '', deviations, state, true)
      const attestation = map([
        [text('fmt'), text(format)],
        [text('attStmt'), statement],
        [text('authData'), octets(data)],
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', options, deviations).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal', 'hybrid'],
      }
      return answer(response, deviations)
    },
    get(options, deviations = {}) {
      if (counts) state.signCount++
      const client = clientData('webauthn.get', options, deviations)
      const data = authenticatorData(deviations.rpId ?? options.rpId ?? '', deviations, state, false)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), state.privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: deviations.userHandle === undefined ? state.userHandle : deviations.userHandle,
      }
      return answer(response, deviations)
    },
    copy: () => createWith(origin, counts, { ...state }),
  }
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

function authenticatorData(rpId: string, deviations: Deviations, state: State, isNew: boolean): Buffer {
  const head = Buffer.alloc(5)
  const isPresent = deviations.isPresent ?? true
  const isVerified = deviations.isVerified ?? true
  head[0] = (isPresent ? PRESENT : 0) | (isVerified ? VERIFIED : 0) | (isNew ? HAS_CREDENTIAL : 0)
  head.writeUInt32BE(deviations.signCount ?? state.signCount, 1)
  const parts: Buffer[] = [sha256(rpId), head]
  if (isNew) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(state.credentialId.length)
    parts.push(Buffer.alloc(16), length, state.credentialId, coseKey(state.publicKey))
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
