import { compileText, escapeHtml } from '../../templates/render-template.ts'

/** What one digest keeps, and the length of its lines as HTML. Beyond it, events are counted only. */
const DIGEST_COUNT_MAX = 100
const DIGEST_CHARS_MAX = 100_000

type Payload = Readonly<Record<string, unknown>>

export interface Collected {
  count: number
  events: readonly Payload[]
}

/** Returns what is collected with one more event. */
export function collectInto({ count, events }: Collected, payload: Payload): Collected {
  const isFull =
    events.length >= DIGEST_COUNT_MAX || JSON.stringify([...events, payload]).length > DIGEST_CHARS_MAX
  return { count: count + 1, events: isFull ? events : [...events, payload] }
}

/**
 * Returns the variables of an email that stands for many events: their number, and a line for each, as text and as HTML.
 * @param item the text of a line, with variables of its event; absent: all of its fields
 */
export function digestOf({ count, events }: Collected, item: string | undefined) {
  const lines: string[] = []
  let html = ''
  for (const event of events) {
    const line = lineOf(event, item)
    const entry = `<li>${escapeHtml(line)}</li>`
    if (html.length + entry.length > DIGEST_CHARS_MAX) break
    lines.push(`- ${line}`)
    html += entry
  }
  return { digest_count: count, digest: lines.join('\n'), digest_html: `<ul>${html}</ul>` }
}

/** Returns the text of an event, which may end early once it is too long for a digest. */

function lineOf(event: Payload, item: string | undefined): string {
  if (item === undefined) {
    return Object.entries(event)
      .map(([key, value]) => `${key}: ${textOf(value)}`)
      .join(', ')
  }
  const { literals, places, slots } = compileText(item)
  const fields = new Map(Object.entries(event).map(([key, value]) => [key.toLowerCase(), value]))
  const valueAt = (slot: number) => {
    const { key, fallback } = slots[slot] ?? { key: '', fallback: null }
    return textOf(fields.get(key.toLowerCase()) ?? fallback ?? '')
  }
  let line = literals[0] ?? ''
  for (const [at, { slot }] of places.entries()) {
    line += valueAt(slot) + (literals[at + 1] ?? '')
    if (line.length > DIGEST_CHARS_MAX) break
  }
  return line
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}
