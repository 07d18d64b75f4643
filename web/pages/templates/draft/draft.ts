import type { Sender, Template } from '../../../api/records.ts'
import { readVariables, type Values, type Variable, variablesToJson } from '../checks/variables.ts'

/** The content of a template in the editor. */
export interface Draft {
  name: string
  alias: string
  subject: string
  html: string
  text: string
  senderId: string
  replyTo: string
  variables: readonly Variable[]
}

export function draftOf(template: Template): Draft {
  return {
    name: template.name,
    alias: template.alias ?? '',
    subject: template.subject,
    html: template.html_content,
    text: template.text_content,
    senderId: template.sender.id,
    replyTo: template.reply_to,
    variables: readVariables(template.variables),
  }
}

/** Compares what emails show: all but the name and the alias. */
export function isSameContent(one: Draft, other: Draft): boolean {
  const { name, alias } = other
  return isSameDraft({ ...one, name, alias }, other)
}

/** Runs on every key press, so it copies no large HTML. */
export function isSameDraft({ variables, ...one }: Draft, other: Draft): boolean {
  const isSame = (Object.keys(one) as (keyof typeof one)[]).every((field) => one[field] === other[field])
  return isSame && JSON.stringify(variables) === JSON.stringify(other.variables)
}

/** Returns the request body for saving. */
export function draftToJson(draft: Draft) {
  return {
    name: draft.name,
    alias: draft.alias === '' ? null : draft.alias,
    subject: draft.subject,
    html_content: draft.html,
    text_content: draft.text,
    sender_id: draft.senderId,
    reply_to: draft.replyTo === '' ? null : draft.replyTo,
    variables: variablesToJson(draft.variables),
  }
}

/** Returns the request body for a preview. Empty test values are omitted. */
export function previewToJson(draft: Draft, values: Values) {
  return {
    subject: draft.subject,
    html_content: draft.html,
    text_content: draft.text,
    // A variable without a name is not declared yet.
    variable_definitions: variablesToJson(draft.variables.filter(({ key }) => key !== '')),
    variables: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
    allow_missing: true,
  }
}

/** Returns `Name <address>` with the name quoted (RFC 5322 section 3.2.4). */
export const mailboxOf = ({ name, email }: Pick<Sender, 'name' | 'email'>): string =>
  `"${name.replace(/["\\]/g, '\\$&')}" <${email}>`
