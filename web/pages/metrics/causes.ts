import { texts } from './texts.ts'

/** Causes of failures in plain words, by the category that the API reports. */
const CAUSES: Readonly<Record<string, string>> = texts.causes.names

/** Returns the cause for people. */
export function nameOfCause(category: string): string {
  return Object.hasOwn(CAUSES, category) ? (CAUSES[category] as string) : category.replaceAll('_', ' ')
}
