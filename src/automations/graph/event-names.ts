import { isEventType, isSentEventType } from '../../events/catalogue.ts'

/** Printable characters without white space; they need not be ASCII. */
const NAME = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]{1,255}$/u
const RESERVED = /^resend:/i

/** Returns why a text cannot be the name of a custom event, as the end of a sentence about its field; null: it can. */
export function customEventProblem(name: unknown): string | null {
  const problem = nameProblem(name)
  if (problem !== null || !isEventType(name as string)) return problem
  return 'must not be the name of an event of Sendwright, such as email.opened.'
}

/**
 * Returns why a run cannot wait for an event of this name, as customEventProblem does. Of Sendwright's events, it can wait for
 * those about its contact.
 */
export function awaitedEventProblem(name: unknown): string | null {
  const problem = nameProblem(name)
  if (problem !== null || !isEventType(name as string)) return problem
  return name !== 'contact.event' &&
    isSentEventType(name as string) &&
    /^(?:email|contact)\./.test(name as string)
    ? null
    : 'must be an event about an email or a contact, or one of your own.'
}

function nameProblem(name: unknown): string | null {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return 'must be 1 to 255 printable characters without white space.'
  }
  return RESERVED.test(name) ? 'must not start with resend:.' : null
}
