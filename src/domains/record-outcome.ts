import type { LookupAnswer } from './dns-lookup.ts'
import type { ExpectedRecord } from './domain-records.ts'
import type { RecordOutcome } from './domains-queries.ts'

const TAG_NAME = /^[A-Za-z][A-Za-z0-9_]*$/

/**
 * Parses the tags of a DKIM key record or a DMARC policy (RFC 6376 section 3.2), ignoring white space around names
 * and values. Returns null if the text is not a tag list, or if a tag occurs twice, which makes the list invalid.
 */
export function readTagList(text: string): Map<string, string> | null {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(at, 0)).trim()
    if (!TAG_NAME.test(name) || tags.has(name)) return null
    tags.set(name, part.slice(at + 1).trim())
  }
  return tags
}

function listed(tags: Map<string, string>, tag: string, item: string, fallback: string): boolean {
  const items = (tags.get(tag) ?? fallback).split(':').map((text) => text.trim())
  return items.includes(item) || (tag === 's' && items.includes('*'))
}

/**
 * Returns whether receivers that read a published DKIM record accept signatures of `expected`'s key: the same key,
 * ignoring white space, and no tag that excludes our use of it (RFC 6376 section 3.6.1). In test mode (t=y),
 * receivers must treat emails as unsigned, so it does not count. Quotes within the value are rejected, as every
 * receiver does.
 */
export function isSameDkimKey(found: string, expected: string): boolean {
  const theirs = readTagList(found)
  const ours = readTagList(expected)
  if (theirs === null || ours === null) return false
  return (
    (theirs.get('v') ?? 'DKIM1') === 'DKIM1' &&
    (theirs.get('k') ?? 'rsa') === ours.get('k') &&
    theirs.get('p')?.replace(/\s+/g, '') === ours.get('p') &&
    listed(theirs, 'h', 'sha256', 'sha256') &&
    listed(theirs, 's', 'email', '*') &&
    !listed(theirs, 't', 'y', '')
  )
}

/** Returns whether a TXT record is a DMARC policy (RFC 7489 section 6.6.3). */
export function isDmarc(text: string): boolean {
  return /^v\s*=\s*DMARC1\s*(;|$)/.test(text)
}

/** Compares the values under a name. Several records of one kind are wrong, because receivers may use any of them. */
function compareValues(
  values: readonly string[],
  concerns: (value: string) => boolean,
  fits: (value: string) => boolean,
) {
  const candidates = values.filter(concerns)
  if (candidates.length === 0) return values.length === 0 ? 'missing' : 'wrong'
  return candidates.length === 1 && fits(candidates[0] as string) ? 'right' : 'wrong'
}

export function outcomeOf(record: ExpectedRecord, answer: LookupAnswer): RecordOutcome {
  if (answer.kind === 'unknown') return 'unknown'
  if (answer.kind === 'none') return 'missing'
  switch (record.purpose) {
    case 'DKIM':
      return compareValues(
        answer.values,
        (value) => readTagList(value)?.has('p') ?? /p\s*=/.test(value),
        (value) => isSameDkimKey(value, record.value),
      )
    case 'DMARC':
      // Records that are not DMARC policies are ignored (RFC 7489 section 6.6.3).
      return compareValues(answer.values.filter(isDmarc), isDmarc, () => true)
    case 'SPF':
    case 'Tracking':
      return answer.values.includes(record.value) ? 'right' : 'wrong'
  }
}
