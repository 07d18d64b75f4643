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
  createdFrom?: Date
  createdBefore?: Date
  /** Part of the subject, without regard to case. */
  subjectPart?: string
}

/** Puts a value among a statement's parameters and returns its place there, `$2` and so on; `$1` is the team. */
export type Place = (value: unknown) => string

/** One condition of a filter, as an index in the order of ids and as a test of one email. Fixed SQL. */
export interface EmailPart {
  /** What to read in order to find the emails that fit, newest first; null: no index knows. */
  index: EmailIndex | null
  /** Of an email `e`. */
  fits(place: Place): string
}

export interface EmailIndex {
  table: 'email' | 'delivery' | 'email_tag'
  /** Of a row `s` of the table. */
  condition(place: Place): string
}

/** All emails, as an index. */
export const ALL_EMAILS: EmailIndex = { table: 'email', condition: () => 'true' }

/** The conditions of a filter but its times, what is likely to fit fewest first. */
export function listParts(filter: EmailFilter): EmailPart[] {
  const parts: EmailPart[] = []
  const { toKey, tag, templateId, from, domainId, status, subjectPart } = filter
  if (toKey !== undefined) parts.push(sentTo(toKey))
  if (tag !== undefined) parts.push(tagged(tag.name, tag.value))
  if (templateId !== undefined) parts.push(withColumn('template_id', templateId))
  if (from !== undefined) parts.push(withColumn('sender_address', from))
  if (domainId !== undefined) parts.push(withColumn('domain_id', domainId))
  if (status !== undefined) parts.push(withColumn('status', status))
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
