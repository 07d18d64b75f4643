import { escapeLike } from '../../db/like.ts'

export interface EmailFilter {
  status?: string
  /** suppressionKey of the recipient. */
  toKey?: string
  /** Lower case. */
  from?: string
  tag?: { name: string; value: string | null }
  domainId?: string
  templateId?: string
  isBulk?: boolean
  createdFrom?: Date
  createdBefore?: Date
  /** Part of the subject, in any case. */
  subjectPart?: string
}

/** Adds a value to a statement's parameters and returns its placeholder, from `$2`; `$1` is the team. */
export type Place = (value: unknown) => string

/** One condition of a filter, as an index in the order of ids and as a test of one email. The SQL is fixed. */
export interface EmailPart {
  /** The index that finds matching emails, newest first; null if there is none. */
  index: EmailIndex | null
  /** A condition on an email `e`. */
  fits(place: Place): string
}

export interface EmailIndex {
  table: 'email' | 'delivery' | 'email_tag'
  /** A condition on a row `s` of the table. */
  condition(place: Place): string
}

/** An index of all emails. */
export const ALL_EMAILS: EmailIndex = { table: 'email', condition: () => 'true' }

/** Returns the conditions of a filter except its times, most selective first. */
export function listParts(filter: EmailFilter): EmailPart[] {
  const parts: EmailPart[] = []
  const { toKey, tag, templateId, from, domainId, status, isBulk, subjectPart } = filter
  if (toKey !== undefined) parts.push(sentTo(toKey))
  if (tag !== undefined) parts.push(tagged(tag.name, tag.value))
  if (templateId !== undefined) parts.push(withColumn('template_id', templateId))
  if (from !== undefined) parts.push(withColumn('sender_address', from))
  if (domainId !== undefined) parts.push(withColumn('domain_id', domainId))
  if (status !== undefined) parts.push(withColumn('status', status))
  if (isBulk !== undefined) parts.push(inClass(isBulk))
  if (subjectPart !== undefined) parts.push(withSubject(subjectPart))
  return parts
}

function withColumn(
  column: 'template_id' | 'sender_address' | 'domain_id' | 'status',
  value: string,
): EmailPart {
  return {
    index: { table: 'email', condition: (place) => `s.${column} = ${place(value)}` },
    fits: (place) => `e.${column} = ${place(value)}`,
  }
}

/**
 * Only bulk mail is indexed by class, so that transactional mail, the larger part of most teams, costs no index entry.
 */
function inClass(isBulk: boolean): EmailPart {
  return isBulk
    ? { index: { table: 'email', condition: () => 's.bulk' }, fits: () => 'e.bulk' }
    : { index: null, fits: () => 'not e.bulk' }
}

function sentTo(addressKey: string): EmailPart {
  return {
    index: { table: 'delivery', condition: (place) => `s.address_key = ${place(addressKey)}` },
    fits: (place) => `exists (
         select 1
         from delivery r
         where r.team_id = $1 and r.email_id = e.id and r.address_key = ${place(addressKey)}
       )`,
  }
}

function tagged(name: string, value: string | null): EmailPart {
  const condition = (row: 's' | 't', place: Place) =>
    `${row}.name = ${place(name)}${value === null ? '' : ` and ${row}.value = ${place(value)}`}`
  return {
    index: { table: 'email_tag', condition: (place) => condition('s', place) },
    fits: (place) => `exists (
         select 1
         from email_tag t
         where t.team_id = $1 and t.email_id = e.id and ${condition('t', place)}
       )`,
  }
}

function withSubject(part: string): EmailPart {
  const pattern = `%${escapeLike(part)}%`
  return { index: null, fits: (place) => `e.subject ilike ${place(pattern)}` }
}
