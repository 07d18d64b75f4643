import type { ContactCondition } from '../segments/contact-condition.ts'

/** Returns the condition that only this contact meets. */
export function isContact(id: string): ContactCondition {
  return { sql: (place) => `c.id = ${place(id)}` }
}
