import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Log } from '../../lib/log.ts'
import type { Passkey } from './passkeys-queries.ts'
import type { RelyingParty } from './relying-party.ts'

/** COSE (RFC 9053, RFC 8812): Ed25519, ES256, RS256. What an authenticator is asked for, and all that is taken. */
export const ALGORITHMS = [-8, -7, -257]
const CREDENTIAL_BYTES_MAX = 1023
const PUBLIC_KEY_BYTES_MAX = 2048
/** As many as there are kinds today, and some. */
const TRANSPORTS_MAX = 10
const TRANSPORT = /^[a-z][a-z-]{0,31}$/

/** As the browser's `toJSON` gives it; base64url throughout. */
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

interface Asked {
  party: RelyingParty
  /** Whether a challenge is one that was asked with. */
  isAsked(challenge: string): boolean
  log: Log
}

export type NewCredential = Pick<
  Passkey,
  'credentialId' | 'publicKey' | 'signCount' | 'transports' | 'isBackedUp'
>

/**
 * What an authenticator made (WebAuthn level 3, section 7.1); null: it is not what was asked for. Certificates of
 * authenticators are not looked at: we ask for none, browsers take them off, and to check one the library would fetch the
 * address that the certificate itself names.
 */
export async function verifyRegistration(
  answer: RegistrationAnswer,
  asked: Asked,
): Promise<NewCredential | null> {
  const library = await loadLibrary()
  return orNull(asked.log, async () => {
    refuseOtherPages(answer.response.clientDataJSON)
    const attestation = library.decodeAttestationObject(bytesOf(answer.response.attestationObject))
    const format = attestation.get('fmt')
    const isBare = format === 'none' || (format === 'packed' && !hasCertificates(attestation.get('attStmt')))
    if (!isBare) throw new Error(`attestation ${String(format).slice(0, 32)} was not asked for`)
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: asked.isAsked,
      expectedOrigin: asked.party.origin,
      expectedRPID: asked.party.id,
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
 * Whether the passkey answered what was asked (WebAuthn level 3, section 7.2), and its counter then; null: it did not.
 * The counter is compared here, and held to it again where it is written (accounts/second-factor/passkeys-queries.ts, recordPasskeyUse).
 */
export async function verifyLogin(
  answer: LoginAnswer,
  passkey: Passkey,
  { isUserVerified, ...asked }: Asked & { isUserVerified: boolean },
): Promise<Pick<Passkey, 'signCount' | 'isBackedUp'> | null> {
  const library = await loadLibrary()
  return orNull(asked.log, async () => {
    refuseOtherPages(answer.response.clientDataJSON)
    const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: asked.isAsked,
      expectedOrigin: asked.party.origin,
      expectedRPID: asked.party.id,
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

/** Loaded when the first passkey is met: it takes a third of a second and thirty megabytes. */
async function loadLibrary() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  const { verifyRegistrationResponse, verifyAuthenticationResponse } = server
  const { decodeAttestationObject } = helpers
  return { verifyRegistrationResponse, verifyAuthenticationResponse, decodeAttestationObject }
}

/** The library throws whatever is wrong with an answer; none of it is our fault. */
async function orNull<T>(log: Log, work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    log.info({ reason }, 'a passkey was not taken')
    return null
  }
}

/** Our pages stand in nobody's frame; the library lets some browsers' frames pass. */
function refuseOtherPages(clientData: string): void {
  const { crossOrigin, topOrigin } = JSON.parse(bytesOf(clientData).toString('utf8'))
  if (crossOrigin === true || topOrigin !== undefined) throw new Error('asked in a frame of another page')
}

function hasCertificates(statement: { get(key: 'x5c'): unknown }): boolean {
  return statement.get('x5c') !== undefined
}

/** What the browser says of how it reaches the authenticator: its own word, kept for it to be told again. */
function readTransports(given: readonly string[] = []): string[] {
  return [...new Set(given)].filter((transport) => TRANSPORT.test(transport)).slice(0, TRANSPORTS_MAX)
}

function bytesOf(base64url: string) {
  return Buffer.from(base64url, 'base64url')
}
