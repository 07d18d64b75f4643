import type { PartInput, StepType, TriggerType } from '../../../src/campaigns/automation-steps.ts'
import type { Automation } from '../../api/records.ts'

export interface StepDraft extends PartInput {
  /** Of this page alone. */
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

/** As the API takes it. */
export function bodyOf({ name, trigger, steps }: AutomationDraft): object {
  return {
    name,
    trigger: trigger === null ? null : given(trigger),
    steps: steps.map(({ key: _key, ...step }) => given(step)),
  }
}

/** What is not chosen is not said. */
const given = (part: PartInput) =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== '' && value !== undefined))

export const newTrigger = (type: TriggerType | null): PartInput | null => (type === null ? null : { type })

/** A step that is there last. */
export function withStep(draft: AutomationDraft, type: StepType): AutomationDraft {
  const key = 1 + Math.max(-1, ...draft.steps.map((step) => step.key))
  const begun =
    type === 'wait' ? { seconds: HOUR_SECONDS } : type === 'update_contact' ? { unsubscribed: true } : {}
  return { ...draft, steps: [...draft.steps, { key, type, ...begun }] }
}

/** The step stands one place earlier (-1) or later (1). */
export function withMoved(draft: AutomationDraft, index: number, by: -1 | 1): AutomationDraft {
  const steps = [...draft.steps]
  const [step] = steps.splice(index, 1)
  if (step === undefined) return draft
  steps.splice(index + by, 0, step)
  return { ...draft, steps }
}
