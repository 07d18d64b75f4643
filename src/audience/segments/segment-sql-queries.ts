import type { Place, Queryable } from '../../db/db-types.ts'
import type { ContactCondition } from './contact-condition.ts'
import { OPERATORS, type OperatorRule, type ValueTest } from './segment-operators.ts'
import {
  CONTACT_COLUMNS,
  type Column,
  testSql,
  VALUE_COLUMNS,
  type ValueColumnType,
} from './segment-tests-queries.ts'
import type { Segment, SegmentCondition } from './segments-queries.ts'

/** The current properties and lists that conditions name. */
export interface SegmentFacts {
  /** The fallback value by the id of the property, for contacts without a value. */
  fallbacks: ReadonlyMap<string, string | number | Date>
  /** The lists that are not deleted. */
  listIds: ReadonlySet<string>
}

/**
 * A condition on contacts in three forms. `filter` and `gather` are SQL over the alias `c` of table contact. `filter`
 * tests contacts one by one, with one index probe each. `gather` finds a few among a million, and PostgreSQL chooses
 * where to start. `set` selects the ids of the matches, or is null if too many match to collect them first.
 */
interface Node {
  filter(place: Place): string
  gather(place: Place): string
  set: ((place: Place) => string) | null
}

const LIVE = 'c.team_id = $1 and c.deleted_at is null'
const NO_MATCH: ContactCondition = { sql: () => 'false' }

/**
 * Returns a segment as a condition on contacts. A segment without conditions matches no contact.
 * @param db compares fallbacks; queried only if a condition names a property that has one
 */
export async function segmentCondition(
  db: Queryable,
  segment: Pick<Segment, 'matchType' | 'groups'>,
  facts: SegmentFacts,
): Promise<ContactCondition> {
  if (segment.groups.length === 0) return NO_MATCH
  const conditions = segment.groups.flatMap((group) => group.conditions)
  const noFallback = await classifyFallbacks(db, conditions, facts.fallbacks)
  const nodes = segment.groups.map((group) =>
    combine(
      group.matchType,
      group.conditions.map((condition) => leafOf(condition, facts, noFallback.get(condition) ?? false)),
    ),
  )
  const { filter, gather } = combine(segment.matchType, nodes)
  return { sql: filter, gatherSql: gather }
}

function combine(matchType: 'all' | 'any', nodes: readonly Node[]): Node {
  const [first] = nodes
  if (first !== undefined && nodes.length === 1) return first
  const join = (form: 'filter' | 'gather', place: Place, word: string) =>
    nodes.map((node) => `(${node[form](place)})`).join(` ${word} `)
  if (matchType === 'all') {
    const gather = (place: Place) => join('gather', place, 'and')
    const set = nodes.some((node) => node.set !== null) ? setOf(gather) : null
    return { filter: (place) => join('filter', place, 'and'), gather, set }
  }
  const sets = nodes.flatMap((node) => node.set ?? [])
  const filter = (place: Place) => join('filter', place, 'or')
  if (sets.length < nodes.length) return { filter, gather: filter, set: null }
  const union = (place: Place) => sets.map((each) => each(place)).join('\n union all ')
  return { filter, gather: (place) => `c.id in (${union(place)})`, set: union }
}

/** Returns SQL that selects the ids of the contacts that match a condition over `c`. */
function setOf(gather: (place: Place) => string): (place: Place) => string {
  return (place) => `select c.id from contact c where ${LIVE} and ${gather(place)}`
}

/** @param holdsWhenMissing whether the test holds for the fallback of the property */
function leafOf(condition: SegmentCondition, facts: SegmentFacts, holdsWhenMissing: boolean): Node {
  const rule = OPERATORS[condition.type][condition.operator] as OperatorRule
  const positive = positiveOf(condition, rule.test, facts, holdsWhenMissing)
  if (rule.isNegated !== true) return positive
  return {
    // A test of a missing value is null, and its negation must hold.
    filter: (place) => `(${positive.filter(place)}) is not true`,
    gather: (place) =>
      condition.field === 'property' || condition.field === 'list'
        ? `not ${positive.gather(place)}`
        : `(${positive.gather(place)}) is not true`,
    set: null,
  }
}

function positiveOf(
  condition: SegmentCondition,
  test: ValueTest,
  facts: SegmentFacts,
  holdsWhenMissing: boolean,
): Node {
  switch (condition.field) {
    case 'property':
      return holdsWhenMissing ? withoutOtherValue(condition, test) : withValue(condition, test)
    case 'list':
      return facts.listIds.has(condition.value as string) ? inList(condition) : noMatch()
    default:
      return ofContact(condition, test)
  }
}

function noMatch(): Node {
  return {
    filter: () => 'false',
    gather: () => 'false',
    set: () => `select c.id from contact c where ${LIVE} and false`,
  }
}

function ofContact(condition: SegmentCondition, test: ValueTest): Node {
  const column = CONTACT_COLUMNS[condition.field as keyof typeof CONTACT_COLUMNS]
  const sql = (place: Place) => testSql(column, test, condition.value, place)
  const isBroad = test === 'set' || (condition.type === 'boolean' && condition.value === false)
  return { filter: sql, gather: sql, set: isBroad ? null : setOf(sql) }
}

function withValue(condition: SegmentCondition, test: ValueTest): Node {
  const { from, where } = valueRows(condition, (place) =>
    testSql(VALUE_COLUMNS[condition.type as ValueColumnType], test, condition.value, place),
  )
  return existing(from, where, 'v.contact_id', test !== 'set')
}

/** Matches contacts without a value or with a passing one, so no failing value may exist. */
function withoutOtherValue(condition: SegmentCondition, test: ValueTest): Node {
  const { from, where } = valueRows(
    condition,
    (place) =>
      `(${testSql(VALUE_COLUMNS[condition.type as ValueColumnType], test, condition.value, place)}) is not true`,
  )
  const other = existing(from, where, 'v.contact_id', false)
  return {
    filter: (place) => `not ${other.filter(place)}`,
    gather: (place) => `(not ${other.gather(place)})`,
    set: null,
  }
}

function valueRows({ propertyId }: SegmentCondition, test: (place: Place) => string) {
  const from = 'contact_value v'
  const where = (place: Place) =>
    `v.team_id = $1 and v.property_id = ${place(propertyId)}::uuid and ${test(place)}`
  return { from, where }
}

function inList(condition: SegmentCondition): Node {
  const where = (place: Place) => `m.team_id = $1 and m.list_id = ${place(condition.value)}::uuid`
  return existing('list_member m', where, 'm.contact_id', true)
}

function existing(from: string, where: (place: Place) => string, id: string, hasSet: boolean): Node {
  return {
    // The offset keeps PostgreSQL from collecting all rows of `from` first when only a few thousand contacts are
    // tested.
    filter: (place) => `exists (select from ${from} where ${where(place)} and ${id} = c.id offset 0)`,
    gather: (place) => `exists (select from ${from} where ${where(place)} and ${id} = c.id)`,
    set: hasSet ? (place) => `select ${id} from ${from} where ${where(place)}` : null,
  }
}

/** Returns, for each condition on a property with a fallback, whether its test holds for the fallback. */
async function classifyFallbacks(
  db: Queryable,
  conditions: readonly SegmentCondition[],
  fallbacks: SegmentFacts['fallbacks'],
): Promise<Map<SegmentCondition, boolean>> {
  const values: unknown[] = []
  const place = (value: unknown) => `$${values.push(value)}`
  const tested = conditions.filter(
    ({ type, operator, propertyId }) =>
      propertyId !== null &&
      fallbacks.has(propertyId) &&
      (OPERATORS[type][operator] as OperatorRule).test !== 'set',
  )
  if (tested.length === 0) return new Map()
  const tests = tested.map((condition) => {
    const fallback = fallbacks.get(condition.propertyId as string)
    const sql = `${place(fallback)}::${FALLBACK_TYPES[condition.type as ValueColumnType]}`
    const { kind } = VALUE_COLUMNS[condition.type as ValueColumnType]
    const column: Column = { sql, folded: `lower(${sql}) collate "C"`, kind }
    const { test } = OPERATORS[condition.type][condition.operator] as OperatorRule
    return `coalesce(${testSql(column, test, condition.value, place)}, false)`
  })
  const rows = await db.query<{ outcomes: boolean[] }>(
    `select array[${tests.join(', ')}] as outcomes`,
    values,
    { isOneOff: true },
  )
  const outcomes = rows[0]?.outcomes ?? []
  return new Map(tested.map((condition, index) => [condition, outcomes[index] === true]))
}

const FALLBACK_TYPES: Record<ValueColumnType, string> = {
  string: 'text',
  number: 'numeric',
  date: 'timestamptz',
}
