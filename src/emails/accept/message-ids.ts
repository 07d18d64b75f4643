import { checkHeader, ORIGINAL_MESSAGE_ID } from '../../mime/header-name.ts'

/** The Message-ID that an email gets from its request. */
export interface OwnMessageId {
  /** Without angle brackets. */
  id: string
  /** Its right side in lower case: a domain that the request must be allowed to use. */
  domain: string
}

/** A team, and the only domain that the key may use; null for any. */
interface Sender {
  teamId: string
  domainId: string | null
}

/** What the database knows about Message-IDs before the commit. */
export interface KnownMessageIds {
  /** Returns whether the sender may use a domain, as of some seconds ago. The commit decides. */
  mayUse(of: Sender, domain: string): Promise<boolean>
  /** Returns the Message-IDs by which the team's emails were sent, by those that their requests gave. */
  findSent(of: Sender, ids: readonly string[]): Promise<Map<string, string>>
}

const CHARS_MAX = 250
const ATOMS = "[\\w!#$%&'*+/=?^`{|}~-]+(?:\\.[\\w!#$%&'*+/=?^`{|}~-]+)*"
/** One msg-id of RFC 5322 section 3.6.4 without comments, whose right side is the name of a domain. */
const MSG_ID = new RegExp(`^<(${ATOMS}@([a-z0-9-]+(?:\\.[a-z0-9-]+)+))>$`, 'i')
const ENCLOSED = /<([^<>\s]{1,998})>/g
const REFERRING = new Set(['in-reply-to', 'references'])
/** More than any thread that people read. */
const REFERENCES_MAX = 200

/**
 * Returns the Message-ID of a request if it has the form that an email may keep, or null. The commit decides whether the
 * domain allows it and no other email of the team has it (validate-request.ts).
 * @param takenIds ids that the commit has found to be unusable
 */
export function readOwnMessageId(
  value: string | null,
  takenIds: Pick<Set<string>, 'has'>,
): OwnMessageId | null {
  const text = value?.trim() ?? ''
  const [, id, domain] = (text.length <= CHARS_MAX && MSG_ID.exec(text)) || []
  return id === undefined || domain === undefined || takenIds.has(id)
    ? null
    : { id, domain: domain.toLowerCase() }
}

/** Adds a Message-ID that the email does not keep, unless the request has another original one. */
export function withOriginalId(headers: [string, string][], messageId: string): [string, string][] {
  return originalIdOf(headers) === null ? [...headers, [ORIGINAL_MESSAGE_ID, messageId]] : headers
}

/** Returns the value of X-Original-Message-ID, or null. */
function originalIdOf(headers: readonly [string, string][]): string | null {
  const name = ORIGINAL_MESSAGE_ID.toLowerCase()
  return headers.find((field) => field[0].toLowerCase() === name)?.[1] ?? null
}

/** Returns the Message-ID that a request gave and the email did not keep, without angle brackets, or null. */
export function replacedId(headers: readonly [string, string][]): string | null {
  return MSG_ID.exec(originalIdOf(headers)?.trim() ?? '')?.[1] ?? null
}

/** Puts the Message-IDs that recipients know into In-Reply-To and References, in place of those that requests gave. */
export async function referToSent(
  headers: [string, string][],
  findSent: (ids: readonly string[]) => Promise<Map<string, string>>,
): Promise<[string, string][]> {
  const isReferring = ([name]: [string, string]) => REFERRING.has(name.toLowerCase())
  const named = headers.filter(isReferring).flatMap(([, value]) => [...value.matchAll(ENCLOSED)])
  if (named.length === 0) return headers
  const sent = await findSent([...new Set(named.map(([, id]) => id as string))].slice(0, REFERENCES_MAX))
  return headers.map((field) => {
    if (!isReferring(field)) return field
    const [name, text] = field
    const value = text.replace(ENCLOSED, (whole, id: string) => (sent.has(id) ? `<${sent.get(id)}>` : whole))
    // The given value fits the limits of a field. With longer ids, it may no longer.
    return checkHeader(name, value) === null ? [name, value] : field
  })
}
