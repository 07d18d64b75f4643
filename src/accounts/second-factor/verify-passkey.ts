import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Log } from '../../lib/log.ts'
import type { Passkey } from './passkeys-queries.ts'
import type { RelyingParty } from './relying-party.ts'

/** The COSE algorithms that are offered and accepted (RFC 9053, RFC 8812): Ed25519, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257]
const CREDENTIAL_BYTES_MAX = 1023
const PUBLIC_KEY_BYTES_MAX = 2048
/** More than the kinds that exist today. */
const TRANSPORTS_MAX = 10
const TRANSPORT = /^[a-z][a-z-]{0,31}$/

/** The result of the browser's `toJSON`; base64url throughout. */
interface AnswerOf<R> {
  id: string
  rawId: string
  type: string
  response: R
}
export type RegistrationAnswer = AnswerOf<{
  clientDataJSON: string
  attestationObject: string
  transports?: string[]
}>
export type LoginAnswer = AnswerOf<{
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle?: string | null
}>

interface Expected {
  party: RelyingParty
  /** Returns whether the challenge is one of ours. */
  isIssued(challenge: string): boolean
  log: Log
}

export type NewCredential = Pick<
  Passkey,
  'credentialId' | 'publicKey' | 'signCount' | 'transports' | 'isBackedUp'
>

/**
 * Verifies the answer to a registration (WebAuthn level 3, section 7.1). Returns null if it is invalid. Certificates
 * of authenticators are not verified: we request none, browsers remove them, and the library would fetch the address
 * that the certificate names.
 */
export async function verifyRegistration(
  answer: RegistrationAnswer,
  expected: Expected,
): Promise<NewCredential | null> {
  const library = await loadLibrary()
  return orNull(expected.log, async () => {
    refuseFrames(answer.response.clientDataJSON)
    const attestation = library.decodeAttestationObject(bytesOf(answer.response.attestationObject))
    const format = attestation.get('fmt')
    const isBare = format === 'none' || (format === 'packed' && !hasCertificates(attestation.get('attStmt')))
    if (!isBare) throw new Error(`attestation ${String(format).slice(0, 32)} was not requested`)
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: expected.isIssued,
      expectedOrigin: expected.party.origin,
      expectedRPID: expected.party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { credential, credentialBackedUp } = registrationInfo
    const credentialId = Buffer.from(credential.id, 'base64url')
    const publicKey = Buffer.from(credential.publicKey)
    if (credentialId.length > CREDENTIAL_BYTES_MAX || publicKey.length > PUBLIC_KEY_BYTES_MAX) return null
    return {
      credentialId,
      publicKey,
      signCount: credential.counter,
      transports: readTransports(answer.response.transports),
      isBackedUp: credentialBackedUp,
    }
  })
}

/**
 * Verifies the answer to a login (WebAuthn level 3, section 7.2). Returns the new counter, or null if the answer is
 * invalid. The counter is compared here and again when it is saved (accounts/second-factor/passkeys-queries.ts,
 * recordPasskeyUse).
 */
export async function verifyLogin(
  answer: LoginAnswer,
  passkey: Passkey,
  { isUserVerified, ...expected }: Expected & { isUserVerified: boolean },
): Promise<Pick<Passkey, 'signCount' | 'isBackedUp'> | null> {
  const library = await loadLibrary()
  return orNull(expected.log, async () => {
    refuseFrames(answer.response.clientDataJSON)
    const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: expected.isIssued,
      expectedOrigin: expected.party.origin,
      expectedRPID: expected.party.id,
      credential: {
        id: passkey.credentialId.toString('base64url'),
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.signCount,
      },
      requireUserVerification: isUserVerified,
    })
    if (!verified) return null
    return { signCount: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
  })
}

/** Loads the library with the first passkey: it takes a third of a second and 30 MB. */
async function loadLibrary() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  const { verifyRegistrationResponse, verifyAuthenticationResponse } = server
  const { decodeAttestationObject } = helpers
  return { verifyRegistrationResponse, verifyAuthenticationResponse, decodeAttestationObject }
}

/** Returns null for errors: the library throws whenever an answer is invalid, and such errors are not ours. */
async function orNull<T>(log: Log, work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    log.info({ reason }, 'a passkey was rejected')
    return null
  }
}

/** Rejects answers from frames. Our pages are never framed, but the library accepts frames of some browsers. */
function refuseFrames(clientData: string): void {
  const { crossOrigin, topOrigin } = JSON.parse(bytesOf(clientData).toString('utf8'))
  if (crossOrigin === true || topOrigin !== undefined)
    throw new Error('the answer came from a frame of another page')
}

function hasCertificates(statement: { get(key: 'x5c'): unknown }): boolean {
  return statement.get('x5c') !== undefined
}

/** Returns the transports that the browser reported, unverified. They are stored to pass them back to the browser. */
function readTransports(names: readonly string[] = []): string[] {
  return [...new Set(names)].filter((transport) => TRANSPORT.test(transport)).slice(0, TRANSPORTS_MAX)
}

function bytesOf(base64url: string) {
  return Buffer.from(base64url, 'base64url')
}
