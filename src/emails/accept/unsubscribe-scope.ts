import { isUuid } from '../../lib/ids.ts'

/** What a recipient can unsubscribe from: a list of the team, or a topic, which is any name that the team sends under. */
export type UnsubscribeScope = { kind: 'list'; listId: string } | { kind: 'topic'; topic: string }

const TOPIC_LENGTH_MAX = 100
/**
 * The link holds it: with the longest address the field List-Unsubscribe stays one line (RFC 5322 section 2.1.1), which a
 * reader of mail cannot misread. A hundred characters of any living script are no longer.
 */
const TOPIC_BYTES_MAX = 300
/** Shown to people on the page, so it may be in any script, but never break out of a line. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u

/** Whether a text can be the name of a topic. */
export function isTopic(text: string): boolean {
  if (text.trim() !== text || text === '' || CONTROL.test(text)) return false
  return [...text].length <= TOPIC_LENGTH_MAX && Buffer.byteLength(text) <= TOPIC_BYTES_MAX
}

/** As it is kept: `list:<id>` or `topic:<name>`. */
export function scopeText(scope: UnsubscribeScope): string {
  return scope.kind === 'list' ? `list:${scope.listId}` : `topic:${scope.topic}`
}

/** Null for a text that is none. */
export function readScope(text: string): UnsubscribeScope | null {
  if (text.startsWith('list:')) {
    const listId = text.slice('list:'.length)
    return isUuid(listId) ? { kind: 'list', listId } : null
  }
  const topic = text.startsWith('topic:') ? text.slice('topic:'.length) : ''
  return isTopic(topic) ? { kind: 'topic', topic } : null
}

/** What the event says of a recipient that got no email because it unsubscribed. */
export const UNSUBSCRIBED = {
  category: 'unsubscribed',
  response: 'The recipient unsubscribed from this list or topic.',
  advice: 'Send nothing more of this kind to the address unless its owner subscribes again.',
}
