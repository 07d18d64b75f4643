import type { ReferenceKind } from '../db/references.ts'
import type { AutomationPart, Reference } from './automations-queries.ts'

/** The fields of triggers and steps. The request's schema restricts their values. */
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
  /** Required to run. */
  required: readonly PartField[]
  optional: readonly PartField[]
}

/** The triggers. To add a trigger, add a row. */
const TRIGGER_RULES = {
  contact_created: { required: [], optional: [] },
  contact_updated: { required: [], optional: [] },
  list_joined: { required: ['list_id'], optional: [] },
  segment_entered: { required: ['segment_id'], optional: [] },
} as const satisfies Readonly<Record<string, PartRule>>

export const TRIGGERS: Readonly<Record<string, PartRule>> = TRIGGER_RULES
export type TriggerType = keyof typeof TRIGGER_RULES

/** The steps. To add a step, add a row. */
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

/** Returns a trigger or step with only the fields of its type, ids in lower case. */
export function trimPart(rules: Readonly<Record<string, PartRule>>, input: PartInput): AutomationPart {
  const { required, optional } = rules[input.type] as PartRule
  const fields = [...required, ...optional].flatMap((field) => {
    const value = input[field]
    if (value === undefined || value === null) return []
    return [[field, field in KINDS ? String(value).toLowerCase() : value] as const]
  })
  return { type: input.type, ...Object.fromEntries(fields) }
}

/** Returns the fields that a trigger or step of this type needs to run and lacks. */
export function missingFields(rules: Readonly<Record<string, PartRule>>, part: AutomationPart): string[] {
  return (rules[part.type] as PartRule).required.filter((field) => part[field] === undefined)
}

/** Returns the objects that a trigger or step refers to, by field. */
export function referencesOf(part: AutomationPart): (Reference & { field: string })[] {
  return Object.entries(KINDS).flatMap(([field, kind]) => {
    const id = part[field]
    return typeof id === 'string' ? [{ field, kind, id }] : []
  })
}
