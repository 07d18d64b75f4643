import Type from 'typebox'
import { Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../../http/route/schemas.ts'

const PASSKEY = {
  object: 'passkey',
  id: '0198c0de-0000-7000-8000-00000000f1d0',
  name: 'Ann’s laptop',
  transports: ['internal', 'hybrid'],
  is_backed_up: true,
  last_used_at: '2026-03-02 09:30:00',
  created_at: '2026-03-01 12:00:00',
} as const
const CODES = ['7kfa-2m9q-x0dp', 'c3vt-8ayh-w6ne']

/** Proves that the person who logged in is still present. */
const passwordField = Type.Optional(
  Type.String({
    maxLength: 1000,
    description: 'Password. Required if the login was more than 15 minutes ago.',
  }),
)
export const Proof = Type.Object(
  { password: passwordField },
  { title: 'OwnerProof', examples: [{ password: 'correct horse battery staple' }] },
)

export const Code = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The six digits in the authenticator app.',
    }),
  },
  { title: 'OneTimeCode', examples: [{ code: '287082' }] },
)

export const NewTotp = Type.Object(
  {
    object: Type.Literal('totp'),
    secret: Text('Secret in base32. Returned only in this response.'),
    uri: Text('Secret as an `otpauth:` URI, for a QR code.'),
  },
  {
    title: 'TotpSecret',
    examples: [
      {
        object: 'totp',
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Sendwright:ann@acme.test?issuer=Sendwright&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      },
    ],
  },
)

export const TotpState = Type.Object(
  { object: Type.Literal('totp'), enabled: Type.Boolean({ description: 'Whether logins require a code.' }) },
  { title: 'TotpState', examples: [{ object: 'totp', enabled: false }] },
)

export const RecoveryCodes = Type.Object(
  {
    object: Type.Literal('recovery_codes'),
    recovery_codes: Type.Array(Type.String(), {
      description:
        'Ten codes, each valid for one login. Returned only in this response. Earlier codes stop working.',
    }),
  },
  { title: 'RecoveryCodes', examples: [{ object: 'recovery_codes', recovery_codes: CODES }] },
)

const passkeyFields = {
  object: Type.Literal('passkey'),
  id: Uuid,
  name: Text('Name of the passkey.'),
  transports: Type.Array(Type.String(), {
    description: 'Transports: `internal`, `hybrid`, `usb`, `nfc`, `ble`, ...',
  }),
  is_backed_up: Type.Boolean({ description: 'Whether it is backed up, and so works on several devices.' }),
  last_used_at: TimestampOrNull,
  created_at: Timestamp,
}
export const PasskeyRecord = Type.Object(passkeyFields, { title: 'Passkey', examples: [PASSKEY] })
export const NewPasskeyRecord = Type.Object(
  {
    ...passkeyFields,
    recovery_codes: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description:
        'With the first second factor: ten codes, each valid for one login, returned only in this response.',
    }),
  },
  {
    title: 'NewPasskey',
    'x-extends': 'Passkey',
    examples: [{ ...PASSKEY, last_used_at: null, recovery_codes: CODES }],
  },
)
export const PasskeyList = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(PasskeyRecord, { description: 'Oldest first.' }) },
  { title: 'PasskeyList', examples: [{ object: 'list', data: [PASSKEY] }] },
)

export const PasskeyOptions = Type.Object(
  {
    object: Type.Literal('passkey_options'),
    challenge_id: TextOrNull('For `POST /session/passkey`. Null for a registration.'),
    expires_at: Timestamp,
    options: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Options for `navigator.credentials`, as WebAuthn JSON.',
    }),
  },
  {
    title: 'PasskeyOptions',
    examples: [
      {
        object: 'passkey_options',
        challenge_id: '0198c0de-0000-7000-8000-00000000f1d1',
        expires_at: '2026-03-01 12:05:00',
        options: { challenge: 'c2VuZHdyaWdodA', rpId: 'mail.acme.test', allowCredentials: [] },
      },
    ],
  },
)

/** Base64url of at most `bytesMax` octets. */
const octets = (bytesMax: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: Math.ceil((bytesMax * 4) / 3),
    pattern: '^[A-Za-z0-9_-]+=*$',
    description,
  })

const CLIENT_BYTES_MAX = 4096
const credential = {
  id: octets(1023, 'Credential id, in base64url.'),
  rawId: octets(1023, 'Same as `id`.'),
  type: Type.Literal('public-key', { description: 'Always `public-key`.' }),
}

/** `PublicKeyCredential.toJSON()` of a registration. Other properties are ignored. */
export const RegistrationAnswerShape = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON: octets(CLIENT_BYTES_MAX, 'Client data, in base64url.'),
        attestationObject: octets(8192, 'Attestation object with the public key, in base64url.'),
        transports: Type.Optional(
          Type.Array(Type.String({ maxLength: 40 }), {
            maxItems: 20,
            description: 'Transports of the authenticator.',
          }),
        ),
      },
      { description: 'Response of the authenticator.' },
    ),
  },
  {
    title: 'PasskeyRegistration',
    description: '`PublicKeyCredential.toJSON()` of `navigator.credentials.create`.',
  },
)

/** `PublicKeyCredential.toJSON()` of a login. */
export const LoginAnswerShape = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON: octets(CLIENT_BYTES_MAX, 'Client data, in base64url.'),
        authenticatorData: octets(CLIENT_BYTES_MAX, 'Authenticator data, in base64url.'),
        signature: octets(1024, 'Signature over both, in base64url.'),
        userHandle: Type.Optional(
          Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
            description: 'User handle of the credential.',
          }),
        ),
      },
      { description: 'Response of the authenticator.' },
    ),
  },
  {
    title: 'PasskeyAssertion',
    description: '`PublicKeyCredential.toJSON()` of `navigator.credentials.get`.',
  },
)

export const PasskeyName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name of the passkey.',
})
export const EXAMPLE_CREDENTIAL = { id: 'q83vASNFZ4k', rawId: 'q83vASNFZ4k', type: 'public-key' } as const
