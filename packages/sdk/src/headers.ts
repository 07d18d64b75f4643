import { SendwrightError } from './result.ts'

export type HeaderFields = Readonly<Record<string, string>>

const KEY_HEADER = 'idempotency-key'

/** Returns all headers by their lower-case names. Where several have the same name, the last one counts. */
export function mergeHeaders(...all: readonly (HeaderFields | undefined)[]): HeaderFields {
  const fields = all.flatMap((headers) => Object.entries(headers ?? {}))
  return Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]))
}

/** Returns the header with the key of a call; none if the call has no key. */
export function headersOfKey(idempotencyKey: string | null | undefined): HeaderFields {
  return idempotencyKey == null ? {} : { [KEY_HEADER]: idempotencyKey }
}

/** Throws TypeError if the headers of a client have a key: the server would take its second send for a retry of the first. */
export function requireNoKey(headers: HeaderFields | undefined): void {
  if (!(KEY_HEADER in mergeHeaders(headers))) return
  throw new TypeError(
    'An Idempotency-Key among the headers of a client would be the key of all its sends. ' +
      'Pass idempotencyKey to each send instead.',
  )
}

/**
 * Returns the key of a call: that of its headers, that of its options, or a new one; null for a call without a key. A blank
 * key counts as absent: the server would take the call for one without a key.
 */
export function chooseKey({
  headers,
  idempotencyKey = null,
}: {
  headers?: HeaderFields
  idempotencyKey?: string | null
}): string | null {
  if (idempotencyKey === null) return null
  const keys = [mergeHeaders(headers)[KEY_HEADER], idempotencyKey]
  // A program in JavaScript can also give a number.
  return keys.map((key) => String(key ?? '')).find((key) => key.trim() !== '') ?? crypto.randomUUID()
}

/**
 * Throws SendwrightError for a header that `fetch` refuses, such as one with a line break: each attempt would fail in the same
 * way. The error does not show the value, which may be a key.
 */
export function requireHeaders(headers: HeaderFields, idempotencyKey: string | null | undefined): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers().set(name, value)
    } catch {
      throw new SendwrightError({
        name: 'invalid_request',
        message: `The header ${JSON.stringify(name)} has a line break, or another character that headers cannot have.`,
        idempotencyKey: idempotencyKey ?? null,
      })
    }
  }
}
