/** A domain's policy as published (RFC 8461 section 3.2). */
export interface StsPolicy {
  mode: 'enforce' | 'testing' | 'none'
  /** Lower case; `*.` stands for exactly one label. Empty only in mode `none`. */
  mx: readonly string[]
  maxAgeSeconds: number
}

/** RFC 8461 section 3.2: about a year. */
const MAX_AGE_SECONDS_MAX = 31_557_600
const RECORD = /^v=STSv1[ \t]*;/
const RECORD_ID = /^id=([A-Za-z0-9]{1,32})$/
const RECORD_EXTENSION = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}=[\x21-\x3a\x3c\x3e-\x7e]+$/
const FIELD_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const NAME_LENGTH_MAX = 253

/**
 * Returns the id of the only `_mta-sts` record among a name's TXT records. Null when there is none, more than one, or
 * an invalid one: each means that there is no policy (RFC 8461 section 3.1).
 */
export function readStsRecord(records: readonly string[]): string | null {
  const stsRecords = records.filter((text) => RECORD.test(text))
  if (stsRecords.length !== 1) return null
  const [, ...fields] = (stsRecords[0] as string).split(';').map((field) => field.trim())
  if (fields.at(-1) === '') fields.pop()
  if (!fields.every((field) => RECORD_ID.test(field) || RECORD_EXTENSION.test(field))) return null
  // An `id=` with more than 32 characters matches the extension syntax but is not an extension.
  const ids = fields.filter((field) => field.startsWith('id='))
  return ids.length === 1 ? (RECORD_ID.exec(ids[0] as string)?.[1] ?? null) : null
}

/** Parses a policy file. Returns null when it does not follow the grammar of RFC 8461 section 3.2. */
export function parseStsPolicy(text: string): StsPolicy | null {
  const fields = readFields(text)
  if (fields === null || first(fields, 'version') !== 'STSv1') return null
  const mode = first(fields, 'mode')
  const maxAge = first(fields, 'max_age') ?? ''
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none') return null
  if (!/^\d{1,10}$/.test(maxAge) || Number(maxAge) > MAX_AGE_SECONDS_MAX) return null
  const mx = (fields.get('mx') ?? []).map((pattern) => pattern.toLowerCase())
  if (!mx.every(isPattern) || (mx.length === 0 && mode !== 'none')) return null
  return { mode, mx, maxAgeSeconds: Number(maxAge) }
}

/** Returns values by name, in order; null when a line is not `name: value`. */
function readFields(text: string): Map<string, string[]> | null {
  const fields = new Map<string, string[]>()
  for (const line of text.trimEnd().split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    const value = line.slice(colon + 1).trim()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    if (!FIELD_NAME.test(name) || value === '' || /[\u0000-\u001f\u007f]/.test(value)) return null
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return fields
}

/** RFC 8461 section 3.2: of a repeated field other than mx, the first counts. */
function first(fields: Map<string, string[]>, name: string): string | undefined {
  return fields.get(name)?.[0]
}

function isPattern(pattern: string): boolean {
  const name = pattern.startsWith('*.') ? pattern.slice(2) : pattern
  if (name.length > NAME_LENGTH_MAX) return false
  const labels = name.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label))
}

/** Returns whether a host matches the policy: a wildcard stands for the leftmost label only (RFC 8461 section 4.1). */
export function matchesMx(patterns: readonly string[], host: string): boolean {
  const name = host.toLowerCase()
  const dot = name.indexOf('.')
  const wildcard = dot > 0 ? `*${name.slice(dot)}` : null
  return patterns.some((pattern) => pattern === name || pattern === wildcard)
}
