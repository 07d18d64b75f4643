import type { ReferenceKind } from '../db/references.ts'
import type { AutomationPart, Reference } from './automations-queries.ts'

/** The fields that triggers and steps are made of; the schema of a request says what each may hold. */
export interface PartInput {
  type: string
  list_id?: string | null
  segment_id?: string | null
  template_id?: string | null
  sender_id?: string | null
  subject?: string | null
  seconds?: number | null
  unsubscribed?: boolean | null
}

type PartField = Exclude<keyof PartInput, 'type'>
interface PartRule {
  /** Whatever runs must have these. */
  required: readonly PartField[]
  optional: readonly PartField[]
}

/** What may begin an automation. To teach automations another, add a row. */
const TRIGGER_RULES = {
  contact_created: { required: [], optional: [] },
  contact_updated: { required: [], optional: [] },
  list_joined: { required: ['list_id'], optional: [] },
  segment_entered: { required: ['segment_id'], optional: [] },
} as const satisfies Readonly<Record<string, PartRule>>

export const TRIGGERS: Readonly<Record<string, PartRule>> = TRIGGER_RULES
export type TriggerType = keyof typeof TRIGGER_RULES

/** What may happen in one. */
const STEP_RULES = {
  send_email: { required: ['template_id'], optional: ['sender_id', 'subject'] },
  wait: { required: ['seconds'], optional: [] },
  condition: { required: ['segment_id'], optional: [] },
  update_contact: { required: ['unsubscribed'], optional: [] },
  add_to_list: { required: ['list_id'], optional: [] },
  remove_from_list: { required: ['list_id'], optional: [] },
} as const satisfies Readonly<Record<string, PartRule>>

export const STEPS: Readonly<Record<string, PartRule>> = STEP_RULES
export type StepType = keyof typeof STEP_RULES

const KINDS: Partial<Record<PartField, ReferenceKind>> = {
  sender_id: 'sender',
  template_id: 'template',
  segment_id: 'segment',
  list_id: 'list',
}

/** Of a trigger or step what belongs to its type, ids in lower case. */
export function trimPart(rules: Readonly<Record<string, PartRule>>, input: PartInput): AutomationPart {
  const { required, optional } = rules[input.type] as PartRule
  const fields = [...required, ...optional].flatMap((field) => {
    const value = input[field]
    if (value === undefined || value === null) return []
    return [[field, field in KINDS ? String(value).toLowerCase() : value] as const]
  })
  return { type: input.type, ...Object.fromEntries(fields) }
}

/** The fields that a trigger or step of this type must have before it can run, and has not. */
export function missingFields(rules: Readonly<Record<string, PartRule>>, part: AutomationPart): string[] {
  return (rules[part.type] as PartRule).required.filter((field) => part[field] === undefined)
}

/** What a trigger or step names, by its field. */
export function referencesOf(part: AutomationPart): (Reference & { field: string })[] {
  return Object.entries(KINDS).flatMap(([field, kind]) => {
    const id = part[field]
    return typeof id === 'string' ? [{ field, kind, id }] : []
  })
}
