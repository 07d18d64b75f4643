import type { PartInput, StepType, TriggerType } from '../../../src/automations/automation-steps.ts'
import type { Automation } from '../../api/records.ts'

export interface StepDraft extends PartInput {
  /** A React key, which the API does not have. */
  key: number
}

export interface AutomationDraft {
  name: string
  trigger: PartInput | null
  steps: StepDraft[]
}

const HOUR_SECONDS = 3_600

export function draftOf({ name, trigger, steps }: Automation): AutomationDraft {
  return { name, trigger, steps: steps.map((step, index) => ({ ...step, key: index })) }
}

/** Returns the request body for the API. */
export function bodyOf({ name, trigger, steps }: AutomationDraft): object {
  return {
    name,
    trigger: trigger === null ? null : filledFields(trigger),
    steps: steps.map(({ key: _key, ...step }) => filledFields(step)),
  }
}

/** Omits fields that are not chosen. */
const filledFields = (part: PartInput) =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== '' && value !== undefined))

export const newTrigger = (type: TriggerType | null): PartInput | null => (type === null ? null : { type })

/** Appends a step of this type. */
export function withStep(draft: AutomationDraft, type: StepType): AutomationDraft {
  const key = 1 + Math.max(-1, ...draft.steps.map((step) => step.key))
  const initial =
    type === 'wait' ? { seconds: HOUR_SECONDS } : type === 'update_contact' ? { unsubscribed: true } : {}
  return { ...draft, steps: [...draft.steps, { key, type, ...initial }] }
}

/** Moves the step up (-1) or down (1). */
export function withMoved(draft: AutomationDraft, index: number, by: -1 | 1): AutomationDraft {
  const steps = [...draft.steps]
  const [step] = steps.splice(index, 1)
  if (step === undefined) return draft
  steps.splice(index + by, 0, step)
  return { ...draft, steps }
}
