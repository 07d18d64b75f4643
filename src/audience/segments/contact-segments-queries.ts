import type { ContactCondition } from '../contacts/contacts-queries.ts'

/** Returns the condition that only this contact meets. */
export function isContact(id: string): ContactCondition {
  return { sql: (place) => `c.id = ${place(id)}` }
}
