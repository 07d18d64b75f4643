import type { ExpectedRecord } from './domain-records.ts'
import { isDmarc, isSameDkimKey, readTagList } from './record-outcome.ts'

/** A shorter text may be a part of a value by chance. */
const PART_CHARS_MIN = 16
/** So many characters in common show that a value is the one to publish, with an error. */
const COMMON_CHARS_MIN = 40

/**
 * What forms and zone files put around a value, and what word processors make of quotes: their UTF-8, which Node.js reads
 * as Latin-1.
 */
const AROUND = /["'`\\()]|\u00e2\u0080[\u0098-\u009f]/g
const withoutQuotes = (text: string) => text.replaceAll(AROUND, '')
const bare = (text: string) => withoutQuotes(text).replaceAll(/\s/g, '')

const SPLIT =
  'enter the value as several strings of one record, as the export of all records as a zone file shows it'

const SEVERAL_POLICIES = 'There are several DMARC policies. Delete all but one.'
const QUOTES =
  'The quotes are a part of the value in DNS. Enter the value without quotes: the provider adds its own.'
const BACKSLASHES = 'The backslashes are a part of the value in DNS. Enter the value without backslashes.'

interface Compared {
  /** As found, and as wanted, without white space and quotes. */
  found: string
  wanted: string
}

/** Errors of one DKIM value. The first that holds counts. */
const FAULTS: readonly { holds(compared: Compared): boolean; advice(compared: Compared): string }[] = [
  {
    holds: ({ found, wanted }) => found.replaceAll(';', '') === (wanted + wanted).replaceAll(';', ''),
    advice: () => 'The value is there twice. Enter it once.',
  },
  {
    holds: ({ found, wanted }) => found === keyOf(wanted),
    advice: () => 'Only the key is there. Enter the whole value, which begins with `v=DKIM1`.',
  },
  {
    holds: ({ found, wanted }) => found.length < wanted.length && wanted.startsWith(found),
    advice: ({ found, wanted }) =>
      `The value is cut off after ${found.length} of ${wanted.length} characters. If the provider takes at most 255 characters, ${SPLIT}.`,
  },
  {
    holds: ({ found, wanted }) => found.length < wanted.length && wanted.includes(found),
    advice: () =>
      `The beginning of the value is missing. Enter the whole value. If the provider takes at most 255 characters, ${SPLIT}.`,
  },
  {
    holds: ({ found, wanted }) => found.length === wanted.length && (wanted + wanted).includes(found),
    advice: () => 'The value was split, and its parts are in the wrong order. Enter the first part first.',
  },
  {
    holds: ({ found, wanted }) => found !== wanted && found.toLowerCase() === wanted.toLowerCase(),
    advice: () => 'Upper and lower case were changed. Enter the value as it is.',
  },
  {
    holds: ({ found, wanted }) => keyOf(found) === keyOf(wanted) && hasTestMode(found),
    advice: () => 'The record is in test mode. Remove `t=y`.',
  },
  {
    holds: ({ found, wanted }) => keyOf(found) === keyOf(wanted) && readTagList(found) !== null,
    advice: () =>
      'The key is right, but another tag makes it invalid. Enter the value as it is, without other tags.',
  },
  {
    holds: ({ found, wanted }) => found.includes(wanted),
    advice: () => 'There is more than the value. Enter only the value, without the name and the type.',
  },
  {
    holds: ({ found, wanted }) => keyOf(found).replaceAll(/[^A-Za-z0-9+/=]/g, '') === keyOf(wanted),
    advice: () =>
      'There are other characters within the key, maybe where it was split. Enter the value as it is.',
  },
  {
    holds: ({ found, wanted }) => commonEnds(found, wanted) >= Math.min(found.length, wanted.length),
    advice: ({ found, wanted }) =>
      found.length < wanted.length
        ? 'A part in the middle of the value is missing, maybe where it was split. Enter the value as it is.'
        : 'A part in the middle of the value is there twice, maybe where it was split. Enter the value as it is.',
  },
]

const ANOTHER_KEY = 'This is another key. Replace it with the value to publish.'

function keyOf(text: string): string {
  return /(?:^|;)p=([^;]*)/.exec(text)?.[1] ?? ''
}

function hasTestMode(text: string): boolean {
  return (readTagList(text)?.get('t') ?? '').split(':').includes('y')
}

/** Returns how many characters the texts share at both ends; 0 if that is too few to mean something. */
function commonEnds(one: string, other: string): number {
  const lengthMax = Math.min(one.length, other.length)
  let start = 0
  while (start < lengthMax && one[start] === other[start]) start++
  let end = 0
  while (end < lengthMax && one.at(-1 - end) === other.at(-1 - end)) end++
  return start < COMMON_CHARS_MIN || end === 0 ? 0 : start + end
}

function adviseOnKeys(values: readonly string[], expected: string): string | null {
  const bareKey = bare(expected)
  const isPart = (value: string) => bare(value).length >= PART_CHARS_MIN && bareKey.includes(bare(value))
  const parts = values.filter(isPart)
  const keys = values.filter((value) => /(?:^|[;\s"])p\s*=/.test(value) || isPart(value))
  if (keys.length === 0) return null
  if (parts.length > 1 && parts.map(bare).join('').length === bareKey.length) {
    return 'The value was split into several records. Enter it as one record, with several strings if necessary.'
  }
  if (keys.length > 1) {
    return keys.some((value) => isSameDkimKey(value, expected))
      ? 'There are several keys at this name, and receivers may use any. Delete all but the value to publish.'
      : 'There are several keys at this name, and none is right. Replace them with the value to publish.'
  }
  const [value = ''] = keys
  if (isSameDkimKey(withoutQuotes(value), expected)) return value.includes('\\') ? BACKSLASHES : QUOTES
  const compared = { found: bare(value), wanted: bareKey }
  return FAULTS.find(({ holds }) => holds(compared))?.advice(compared) ?? ANOTHER_KEY
}

function adviseOnPolicies(values: readonly string[]): string | null {
  if (values.filter(isDmarc).length > 1) return SEVERAL_POLICIES
  const policy = values.find((value) => /v\s*=\s*DMARC1/i.test(value))
  if (policy === undefined) return null
  if (isDmarc(withoutQuotes(policy).trim())) return policy.includes('\\') ? BACKSLASHES : QUOTES
  return 'A DMARC policy begins with `v=DMARC1;`. Enter the value as it is.'
}

function adviseOnTarget(target: string, { value, domain }: ExpectedRecord): string {
  const isAppended = target.startsWith(`${value}.`) && domain.endsWith(target.slice(value.length + 1))
  return isAppended
    ? `The provider has appended the domain to the value. End the value with a dot: ${value}.`
    : 'The CNAME leads to another host. Replace its value.'
}

/** Returns what is wrong with the values under the right name, and how to mend it; null if none is meant to be ours. */
export function adviseOnValues(record: ExpectedRecord, values: readonly string[]): string | null {
  if (record.purpose === 'DKIM') return adviseOnKeys(values, record.value)
  if (record.purpose === 'DMARC') return adviseOnPolicies(values)
  const [target] = values
  return target === undefined ? null : adviseOnTarget(target, record)
}
