import type { Sender } from '../../domains/senders-queries.ts'
import type { SendRequest } from '../../emails/request/draft-email.ts'
import type { UnsubscribeScope } from '../../emails/request/unsubscribe-scope.ts'
import { quotedMailbox } from '../../mime/address.ts'
import { TEMPLATE_PARTS } from '../../templates/render-template.ts'
import type { SendTemplate } from '../../templates/template-cache.ts'
import type { Step } from '../graph/graph-types.ts'
import { resolveValues } from '../graph/variables.ts'
import type { RunContact } from '../rows/contact-scopes-queries.ts'
import type { RunIndex } from './run-index.ts'
import { runScopeOf } from './scopes.ts'

/** The topic that recipients unsubscribe from, unless the automation begins with one list. */
const AUTOMATIONS_TOPIC = 'Automations'

/** Returns what a recipient of an automation's bulk email unsubscribes from. */
export function unsubscribeScopeOf({ trigger }: RunIndex): UnsubscribeScope {
  if (trigger?.config.type === 'list_joined') return { kind: 'list', listId: trigger.config.list_id }
  return { kind: 'topic', topic: AUTOMATIONS_TOPIC }
}

export interface EmailParts {
  step: Step<'send_email'>
  /** The sender that the step names, if it does and the team has it. */
  sender: Sender | null
  template: SendTemplate | null
  contact: RunContact
  payload: Record<string, unknown>
  scope: UnsubscribeScope
  unsubscribeUrl: string
}

/** Returns the request for the email of a step. A variable without a value is left out: the template may have a fallback. */
export function emailRequestOf(parts: EmailParts): SendRequest {
  const { step, sender, contact, payload, scope } = parts
  const { template, subject, from, reply_to: replyTo, class: mailClass = 'bulk' } = step.config
  const given = resolveValues(template.variables ?? {}, runScopeOf(contact, payload))
  const sentFrom = from ?? (sender === null ? undefined : quotedMailbox(sender.name, sender.email))
  const answersTo = replyTo ?? sender?.replyTo ?? undefined
  return {
    to: contact.email,
    template: { id: template.id, variables: variablesOf(parts, given.values) },
    ...(subject !== undefined && { subject }),
    ...(sentFrom !== undefined && { from: sentFrom }),
    ...(answersTo !== undefined && { reply_to: answersTo }),
    ...(mailClass === 'bulk' && {
      unsubscribe: scope.kind === 'list' ? { list_id: scope.listId } : { topic: scope.topic },
    }),
    class: mailClass,
  }
}

const UNSUBSCRIBE_URLS = ['UNSUBSCRIBE_URL', 'RESEND_UNSUBSCRIBE_URL']

/**
 * Returns a value for each variable of the template that has one: as the step gives it, of the contact, or from the payload.
 * Keys of properties and of the payload match in any case.
 */
function variablesOf(
  { template, contact, payload, unsubscribeUrl }: EmailParts,
  given: Readonly<Record<string, unknown>>,
): Record<string, string | number> {
  const sources = [
    given,
    { EMAIL: contact.email, FIRST_NAME: contact.firstName, LAST_NAME: contact.lastName },
    Object.fromEntries(UNSUBSCRIBE_URLS.map((url) => [url, unsubscribeUrl])),
    lowerKeys(contact.properties),
    lowerKeys(payload),
  ]
  const variables: Record<string, string | number> = {}
  for (const part of TEMPLATE_PARTS) {
    for (const { key } of template?.compiled[part]?.slots ?? []) {
      const value = sources.map((source) => valueAt(source, key)).find((one) => one !== null)
      if (value !== undefined && value !== null) variables[key] = value
    }
  }
  return variables
}

function lowerKeys(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]))
}

function valueAt(source: Readonly<Record<string, unknown>>, key: string): string | number | null {
  const name = [key, key.toLowerCase()].find((one) => Object.hasOwn(source, one))
  const value = name === undefined ? null : source[name]
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
