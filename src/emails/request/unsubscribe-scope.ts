import { isUuid } from '../../lib/ids.ts'

/** A list of the team, or a topic of any name, that a recipient can unsubscribe from. */
export type UnsubscribeScope = { kind: 'list'; listId: string } | { kind: 'topic'; topic: string }

const TOPIC_LENGTH_MAX = 100
/**
 * The link contains the topic. Within this limit, List-Unsubscribe stays on one line even with the longest
 * address (RFC 5322 section 2.1.1), so that mail clients cannot misread it. A hundred characters of any living
 * script fit.
 */
const TOPIC_BYTES_MAX = 300
/** The unsubscribe page shows topics, so any script is allowed, but no character that breaks out of a line. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u

/** Returns whether a text is valid as the name of a topic. */
export function isTopic(text: string): boolean {
  if (text.trim() !== text || text === '' || CONTROL.test(text)) return false
  return [...text].length <= TOPIC_LENGTH_MAX && Buffer.byteLength(text) <= TOPIC_BYTES_MAX
}

/** Returns the stored form: `list:<id>` or `topic:<name>`. */
export function scopeText(scope: UnsubscribeScope): string {
  return scope.kind === 'list' ? `list:${scope.listId}` : `topic:${scope.topic}`
}

/** Parses the stored form. Returns null if the text is invalid. */
export function readScope(text: string): UnsubscribeScope | null {
  if (text.startsWith('list:')) {
    const listId = text.slice('list:'.length)
    return isUuid(listId) ? { kind: 'list', listId } : null
  }
  const topic = text.startsWith('topic:') ? text.slice('topic:'.length) : ''
  return isTopic(topic) ? { kind: 'topic', topic } : null
}

/** Event fields for a recipient that received no email because it unsubscribed. */
export const UNSUBSCRIBED = {
  category: 'unsubscribed',
  response: 'The recipient unsubscribed from this list or topic.',
  advice: 'Send nothing more of this kind to the address unless its owner subscribes again.',
}
