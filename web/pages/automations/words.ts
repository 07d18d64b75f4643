import type { StepType, TriggerType } from '../../../src/automations/automation-steps.ts'
import { texts } from './texts.ts'

/** Same statement as in the README. */
export const NOT_YET = texts.words.versionWriteCheckActivate

/** A label for each trigger of the server. */
export const TRIGGER_WORDS: Readonly<Record<TriggerType, string>> = texts.words.triggerWords

/** A label for each step of the server. */
export const STEP_WORDS: Readonly<Record<StepType, string>> = texts.words.stepWords
