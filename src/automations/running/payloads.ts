type Payload = Record<string, unknown>

const PAYLOAD_CHARS_MAX = 100_000

/** Returns both payloads, the later one over the earlier; only the later one if they are too large together. */
export function mergePayloads(before: Payload, later: Payload): Payload {
  const merged = { ...before, ...later }
  return isTooLarge(merged) ? later : merged
}

/** Returns the payload with a response under the key of its step, without the body if they are too large together. */
export function joinPayload(
  payload: Payload,
  key: string,
  status: number | null,
  text: string | null,
): Payload {
  const joined = { ...payload, [key]: { status, body: parseBody(text) } }
  return isTooLarge(joined) ? { ...payload, [key]: { status, body: null } } : joined
}

function isTooLarge(payload: Payload): boolean {
  return JSON.stringify(payload).length > PAYLOAD_CHARS_MAX
}

/** What PostgreSQL does not store in JSON: the character NUL and half of a surrogate pair, as JSON.stringify writes them. */
const NOT_STORED = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Returns JSON as its value, and anything else as text. */
function parseBody(text: string | null): unknown {
  try {
    const value: unknown = text === null ? null : JSON.parse(text)
    return NOT_STORED.test(JSON.stringify(value)) ? text : value
  } catch {
    return text
  }
}
