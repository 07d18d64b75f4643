import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHardBounce } from '../../src/classification/classify-dsn.ts'
import type { Dsn, DsnRecipient } from '../../src/classification/dsn.ts'
import { readDsn } from '../../src/inbound/dsn/read-dsn.ts'

/** The expected classification of one recipient, by the author of a set. */
export interface Answer {
  /** Sisimai's reason, for example `userunknown`, or another one. */
  reason: string
  /** Permanent and the recipient's fault. */
  hard: boolean
  dsn?: string
  smtp?: string
  /** The kind of a complaint. */
  feedback?: string | null
  /** The failed address. Sets without addresses match recipients by position. */
  recipient?: string | null
}

export interface DsnCase {
  name: string
  wanted: readonly Answer[]
  content: Buffer
  dsn: Dsn
}

/** One expected recipient and the recipient that was parsed. */
export interface DsnRow {
  name: string
  want: Answer
  dsn: Dsn
  /** Null when none was parsed. */
  got: DsnRecipient | null
}

/** Counts over a set; each list holds one line for each mistake. */
export interface DsnScore {
  messages: number
  hard: { wanted: number; missed: string[] }
  notHard: { wanted: number; mistaken: string[] }
  recipients: { messages: number; wrong: string[] }
  complaints: { wanted: number; missed: string[] }
}

/** Reads a set: `answers.json` with a list of expected results for each name, and `NAME.eml` next to it. */
export function readDsnSet(folder: string): DsnCase[] {
  const answers = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8')) as Record<string, Answer[]>
  return Object.entries(answers).map(([name, wanted]) => {
    const path = join(folder, name)
    const content = readFileSync(existsSync(path) ? path : `${path}.eml`)
    return { name, wanted, content, dsn: readDsn(content) }
  })
}

/**
 * Pairs each expected result with the parsed recipient of the same address, or of the same position when the set has
 * no addresses.
 */
export function pairRecipients({ name, wanted, dsn }: DsnCase): DsnRow[] {
  const read = dsn.kind === 'delivery_status' ? dsn.recipients : []
  return wanted.map((want, place) => {
    const address = addressOf(want)
    const own = address === null ? undefined : read.find((one) => one.address?.toLowerCase() === address)
    const only = wanted.length === 1 && read.length === 1
    const other = address === null || only ? read[place] : undefined
    return { name, want, dsn, got: own ?? other ?? null }
  })
}

/**
 * Returns whether this product counts the expected result as a hard bounce: a disabled mailbox (5.2.1) is suppressed
 * immediately, although Sisimai's reason for it, `suspend`, is not a hard bounce there.
 */
export function isWantedHard({ hard, reason, dsn }: Answer): boolean {
  return hard || (reason === 'suspend' && dsn === '5.2.1')
}

export function isReadHard({ got }: Pick<DsnRow, 'got'>): boolean {
  return got !== null && got.verdict !== null && isHardBounce(got.verdict)
}

/** Describes a mistake in one line. */
export function describeRow({ name, want, got }: DsnRow): string {
  return `${name}: ${want.reason} ${want.dsn ?? ''} ${want.smtp ?? ''}; here ${got?.verdict?.category} (${got?.response?.slice(0, 120)})`
}

/** Compares all results of a set with the expected ones. */
export function scoreDsns(cases: readonly DsnCase[]): DsnScore {
  const rows = cases.flatMap(pairRecipients)
  const complaints = rows.filter(({ want }) => isComplaint(want))
  const bounces = rows.filter(({ want }) => !isComplaint(want))
  const hard = bounces.filter(({ want }) => isWantedHard(want))
  const notHard = bounces.filter(({ want }) => !isWantedHard(want))
  const about = cases.filter(({ wanted }) => wanted.some((want) => !isComplaint(want) && isOfRecipient(want)))
  return {
    messages: cases.length,
    hard: { wanted: hard.length, missed: hard.filter((row) => !isReadHard(row)).map(describeRow) },
    notHard: {
      wanted: notHard.length + cases.filter(({ wanted }) => wanted.length === 0).length,
      mistaken: [...notHard.filter(isReadHard).map(describeRow), ...cases.flatMap(unwantedOf)],
    },
    recipients: { messages: about.length, wrong: about.filter(hasOtherRecipients).map(describeRecipients) },
    complaints: {
      wanted: complaints.length,
      missed: complaints.filter(isMissed).map(({ name, dsn }) => `${name}: here ${dsn.kind}`),
    },
  }
}

function isComplaint({ feedback }: Answer): boolean {
  return typeof feedback === 'string' && feedback !== ''
}

function isMissed({ want, dsn }: DsnRow): boolean {
  return dsn.kind !== 'complaint' || dsn.feedback !== want.feedback
}

/** Returns whether the result is about a recipient; automatic replies are not. */
function isOfRecipient({ reason, hard }: Answer): boolean {
  return hard || !/vacation|auto|reply|receipt|moderation|challenge|ordinary|unknown|none|not/i.test(reason)
}

function addressOf({ recipient }: Answer): string | null {
  return typeof recipient === 'string' && recipient !== '' ? recipient.toLowerCase() : null
}

/** Returns the recipients classified as hard bounces in a message that should have none. */
function unwantedOf({ name, wanted, dsn }: DsnCase): string[] {
  if (wanted.length > 0 || dsn.kind !== 'delivery_status') return []
  return dsn.recipients
    .filter((got) => isReadHard({ got }))
    .map(({ address, verdict }) => `${name}: nothing wanted; here ${verdict?.category} (${address})`)
}

function hasOtherRecipients({ wanted, dsn }: DsnCase): boolean {
  const read = dsn.kind === 'delivery_status' ? dsn.recipients : []
  if (read.length !== wanted.length) return true
  const addresses = new Set(read.map(({ address }) => address?.toLowerCase()))
  return wanted.some((want) => {
    const address = addressOf(want)
    return address !== null && !addresses.has(address)
  })
}

function describeRecipients({ name, wanted, dsn }: DsnCase): string {
  const read = dsn.kind === 'delivery_status' ? dsn.recipients.map(({ address }) => address) : dsn.kind
  return `${name}: ${wanted.map((want) => want.recipient ?? '?').join()}; here ${String(read)}`
}
