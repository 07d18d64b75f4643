import type { Place } from '../../db/db-types.ts'
import { escapeLike } from '../../db/like.ts'

export interface EmailFilter {
  status?: string
  event?: VisitName
  isSimulated?: boolean
  /** suppressionKey of the recipient. */
  toKey?: string
  /** Lower case. */
  from?: string
  tag?: { name: string; value: string | null }
  domainId?: string
  /** The only domain that the caller may read, beside any `domainId` that the request names. */
  scopeDomainId?: string
  templateId?: string
  isBulk?: boolean
  createdFrom?: Date
  createdBefore?: Date
  /** Part of the subject, in any case. */
  subjectPart?: string
  id?: string
  /** A second tag, from the search. */
  tagPair?: { name: string; value: string }
  address?: AddressSearch
  /** Part of the subject, or the start of an address or of a recipient's name, in any case. */
  word?: string
}

export type VisitName = 'opened' | 'clicked' | 'complained'

/** A text with an `@`, which may be the start of a sender's or a recipient's address, or a whole Message-ID. */
export interface AddressSearch {
  /** Lower case, as in suppressionKey. */
  start: string
  messageId: string
  /** The email whose id begins the Message-ID. */
  id: string | null
}

/** One condition of a filter, as an index in the order of ids and as a test of one email. The SQL is fixed. */
export interface EmailPart {
  /**
   * The index that finds matching emails, newest first. Several find them together, but in no order, so they lead
   * only if they have few entries. Empty if there is none.
   */
  indexes: readonly EmailIndex[]
  /** Whether a test reads another table, which costs more than a test of the email itself. */
  isCostly?: boolean
  /** A condition on an email `e`. */
  fits(place: Place): string
}

export interface EmailIndex {
  table: 'email' | 'delivery' | 'email_tag' | 'metric_visit'
  /** A condition on a row `s` of the table. */
  condition(place: Place): string
  /** Further conditions of which one must hold. Each is read in the order of ids. */
  oneOf?: readonly string[]
  /** The column that a start is compared with. Without an order, a count of its entries may read the whole table. */
  startOf?: 'address_key' | 'sender_address'
}

/** An index of all emails. */
export const ALL_EMAILS: readonly EmailIndex[] = [{ table: 'email', condition: () => 'true' }]

/** Returns the conditions of a filter except its times, most selective first. */
export function listParts(filter: EmailFilter): EmailPart[] {
  const parts: EmailPart[] = []
  const { toKey, tag, templateId, from, domainId, scopeDomainId, status, event } = filter
  const { isBulk, subjectPart, id, tagPair, address, word } = filter
  if (id !== undefined) parts.push(withColumn('id', id))
  if (tagPair !== undefined) parts.push(tagged(tagPair.name, tagPair.value))
  if (address !== undefined) parts.push(withAddress(address))
  if (toKey !== undefined) parts.push(sentTo(toKey))
  if (tag !== undefined) parts.push(tagged(tag.name, tag.value))
  if (templateId !== undefined) parts.push(withColumn('template_id', templateId))
  if (from !== undefined) parts.push(withColumn('sender_address', from))
  if (domainId !== undefined) parts.push(withColumn('domain_id', domainId))
  if (scopeDomainId !== undefined) parts.push(withColumn('domain_id', scopeDomainId))
  if (event !== undefined) parts.push(withEvent(event))
  if (status !== undefined) parts.push(status === IN_PROGRESS ? inProgress() : withColumn('status', status))
  if (isBulk !== undefined) parts.push(inClass(isBulk))
  if (subjectPart !== undefined) parts.push(withSubject(subjectPart))
  if (word !== undefined) parts.push(withWord(word))
  return parts
}

function withColumn(
  column: 'id' | 'template_id' | 'sender_address' | 'domain_id' | 'status',
  value: string,
): EmailPart {
  return {
    indexes: [{ table: 'email', condition: (place) => `s.${column} = ${place(value)}` }],
    fits: (place) => `e.${column} = ${place(value)}`,
  }
}

/** A filter for all statuses of emails without a result. */
export const IN_PROGRESS = 'in_progress'
const OPEN = ['queued', 'delivery_delayed', 'scheduled']

function inProgress(): EmailPart {
  const conditionsOn = (row: 's' | 'e') => OPEN.map((status) => `${row}.status = '${status}'`)
  return {
    indexes: [{ table: 'email', condition: () => 'true', oneOf: conditionsOn('s') }],
    fits: () => `(${conditionsOn('e').join(' or ')})`,
  }
}

/** Emails that a person opened, clicked or complained about. The name is a literal, for the index of complaints. */
function withEvent(name: VisitName): EmailPart {
  return {
    indexes: [{ table: 'metric_visit', condition: () => `s.name = '${name}'` }],
    isCostly: true,
    fits: () => `exists (
         select 1
         from metric_visit v
         where v.team_id = $1 and v.email_id = e.id and v.name = '${name}'
       )`,
  }
}

/** Returns the condition on an email that all of its recipients are at the simulator, or that one is not. */
export function simulatedCondition(row: 's' | 'e', isSimulated: boolean): string {
  const addresses = ['to', 'cc', 'bcc'].map((kind) => `coalesce(${row}.addressees -> '${kind}', '[]')`)
  // Most addressees do not mention the simulator, which is quickly seen.
  const condition = `(strpos(lower(${row}.addressees::text), '@simulator.test') > 0 and not exists (
         select 1
         from jsonb_array_elements_text(${addresses.join(' || ')}) as a (address)
         where lower(a.address) !~ '@simulator\\.test>?\\s*$'
       ))`
  return isSimulated ? condition : `not ${condition}`
}

/**
 * Only bulk mail is indexed by class, so that transactional mail, the larger part of most teams, costs no index entry.
 */
function inClass(isBulk: boolean): EmailPart {
  return isBulk
    ? { indexes: [{ table: 'email', condition: () => 's.bulk' }], fits: () => 'e.bulk' }
    : { indexes: [], fits: () => 'not e.bulk' }
}

function sentTo(addressKey: string): EmailPart {
  return {
    indexes: [{ table: 'delivery', condition: (place) => `s.address_key = ${place(addressKey)}` }],
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
    indexes: [{ table: 'email_tag', condition: (place) => condition('s', place) }],
    fits: (place) => `exists (
         select 1
         from email_tag t
         where t.team_id = $1 and t.email_id = e.id and ${condition('t', place)}
       )`,
  }
}

function withSubject(part: string): EmailPart {
  const pattern = `%${escapeLike(part)}%`
  return { indexes: [], fits: (place) => `e.subject ilike ${place(pattern)}` }
}

function withAddress({ start, messageId, id }: AddressSearch): EmailPart {
  const pattern = `${escapeLike(start)}%`
  const bySender = (row: string, place: Place) => `${row}.sender_address like ${place(pattern)}`
  // The second half is the condition of the index. A generated Message-ID begins with the id.
  const byMessageId = (row: string, place: Place) =>
    `${row}.message_id = ${place(messageId)} and not starts_with(${row}.message_id, ${row}.id::text)`
  const byId = (row: string, place: Place) =>
    `${row}.id = ${place(id)} and ${row}.message_id = ${place(messageId)}`
  const tests = id === null ? [bySender, byMessageId] : [bySender, byMessageId, byId]
  return {
    indexes: [
      {
        table: 'delivery',
        condition: (place) => `s.address_key like ${place(pattern)}`,
        startOf: 'address_key',
      },
      ...tests.map(
        (test): EmailIndex => ({
          table: 'email',
          condition: (place) => test('s', place),
          ...(test === bySender ? { startOf: 'sender_address' } : {}),
        }),
      ),
    ],
    isCostly: true,
    fits: (place) => `(${tests.map((test) => test('e', place)).join(' or ')} or exists (
         select 1
         from delivery r
         where r.team_id = $1 and r.email_id = e.id and r.address_key like ${place(pattern)}
       ))`,
  }
}

/** A recipient is stored as `ann@x.test` or `Ann <ann@x.test>`, and its JSON begins with a quotation mark. */
function withWord(word: string): EmailPart {
  const start = `${escapeLike(word)}%`
  const inQuotes = escapeLike(JSON.stringify(word).slice(1, -1))
  const recipients = ['to', 'cc', 'bcc'].map((field) => `e.addressees->'${field}'`).join(', ')
  return {
    indexes: [],
    fits: (place) => `(e.subject ilike ${place(`%${start}`)} or e.sender_address ilike ${place(start)}
       or concat(${recipients}) ilike any (array[${place(`%"${inQuotes}%`)}, ${place(`%<${inQuotes}%`)}]))`,
  }
}
