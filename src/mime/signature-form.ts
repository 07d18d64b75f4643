import { REPLACEABLE_FIELDS, type ReplaceableField } from '../config/relay.ts'

interface FormRules {
  /** Towards a relay, RSA alone signs: some relays refuse a second DKIM-Signature field. */
  isRelay: boolean
  hasEd25519: boolean
  unsigned: readonly ReplaceableField[]
}

/** The forms of a signature, by the name that is stored with a delivery. */
const FORMS = {
  rsa: { isRelay: false, hasEd25519: false, unsigned: [] },
  'rsa+ed25519': { isRelay: false, hasEd25519: true, unsigned: [] },
  relay: { isRelay: true, hasEd25519: false, unsigned: [] },
  'relay-date': { isRelay: true, hasEd25519: false, unsigned: ['date'] },
  'relay-message-id': { isRelay: true, hasEd25519: false, unsigned: ['message-id'] },
  'relay-date-message-id': { isRelay: true, hasEd25519: false, unsigned: ['date', 'message-id'] },
} as const satisfies Record<string, FormRules>

export type SignatureForm = keyof typeof FORMS

export function rulesOfForm(form: SignatureForm): FormRules {
  return FORMS[form]
}

/** Returns the form for a relay that replaces these fields. */
function relayForm(unsigned: readonly ReplaceableField[]): SignatureForm {
  const names = REPLACEABLE_FIELDS.filter((name) => unsigned.includes(name))
  return ['relay', ...names].join('-') as SignatureForm
}

/**
 * Returns the form for a message. An email has at most one signature of each kind, direct and for a relay: the one that
 * was sent first is kept.
 * @param sent the forms in which the email was sent before
 * @param relay the relay that gets the message, or null
 */
export function chooseForm(
  sent: Iterable<SignatureForm>,
  relay: { unsigned?: readonly ReplaceableField[] } | null,
  usesEd25519: boolean,
): SignatureForm {
  for (const form of sent) if (FORMS[form].isRelay === (relay !== null)) return form
  if (relay !== null) return relayForm(relay.unsigned ?? [])
  return usesEd25519 ? 'rsa+ed25519' : 'rsa'
}

export function isSignatureForm(text: unknown): text is SignatureForm {
  return typeof text === 'string' && Object.hasOwn(FORMS, text)
}
