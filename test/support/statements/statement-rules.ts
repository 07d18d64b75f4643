import { readParts } from '../../../src/db/migrations/split-statements.ts'

/** What the rules need to know about the database and the place of a statement. */
export interface RuleContext {
  /** Whether the statement runs for each email or request, or for each batch of them. */
  isHot: boolean
  /** The functions of PostgreSQL whose result depends on more than their parameters (STABLE and VOLATILE). */
  mutableFunctions: ReadonlySet<string>
  /** The columns that hold a time or a day, whose texts depend on the session. */
  timeColumns: ReadonlySet<string>
}

export const CHAIN_FAULT = 'two changes in one statement of a hot path'

/**
 * Returns how a statement breaks the rules that keep it fit for Citus (docs/scale.md), with the clause that does. Citus computes
 * these clauses on another node than the one that received the statement, so it accepts only what is the same on both. It sends
 * the rows of an `insert` in `with` to every node.
 */
export function findFaults(sql: string, context: RuleContext): string[] {
  const words = readWords(sql)
  const faults: string[] = []
  for (const { kind, from, to } of findClauses(words)) {
    const clause = words.slice(from, to)
    if (kind === 'do update' && !hasValues(words, from) && clause.some(isParameter))
      faults.push('a parameter in "do update" of "insert ... select"')
    for (const [index] of clause.entries()) {
      const mutable = mutableAt(clause, index, context)
      if (mutable !== null) faults.push(`${mutable} in "${kind}"`)
    }
  }
  if (insertsSubquery(words)) faults.push('a subquery in "values" of "insert"')
  if (context.isHot && countChanges(words) > 1) faults.push(CHAIN_FAULT)
  return faults
}

/**
 * Returns how a statement of a migration breaks the rules. A check needs a name (`constraint ... check`), so that it can be
 * changed later. It must not be part of `add column`, because Citus accepts it only as a statement of its own.
 */
export function findMigrationFaults(sql: string): string[] {
  const words = readWords(sql)
  return words.flatMap((word, index) => {
    if (word === 'storage' && words[index - 1] === 'set') return ['"set storage"']
    if (word === 'check' && words[index - 2] !== 'constraint')
      return ['a check without "constraint" and a name']
    if (word === 'check' && isInAddedColumn(words, index)) return ['a check inside "add column"']
    return []
  })
}

/** Returns whether a check of `alter table` belongs to a new column, for which `column` may be left out. */
function isInAddedColumn(words: readonly string[], index: number): boolean {
  if (words[0] !== 'alter') return false
  const added = words.lastIndexOf('add', index)
  return added >= 0 && words[added + 1] !== 'constraint'
}

/** Returns words, signs and strings, in lower case. `::` is one word. */
function readWords(sql: string): string[] {
  const words: string[] = []
  for (const [, part] of readParts(sql)) {
    if (part === ':' && words.at(-1) === ':') words[words.length - 1] = '::'
    else if (part !== ' ') words.push(part.toLowerCase())
  }
  return words
}

interface Clause {
  kind: 'do update' | 'set' | 'returning'
  from: number
  to: number
}

/** Finds the clauses whose expressions Citus computes on another node than the one that got the statement. */
function findClauses(words: readonly string[]): Clause[] {
  return words.flatMap((word, index): Clause[] => {
    if (word === 'do' && words[index + 1] === 'update')
      return [{ kind: 'do update', from: index, to: endOf(words, index, ['returning']) }]
    if (word === 'returning') return [{ kind: word, from: index, to: endOf(words, index, []) }]
    if (word === 'set' && isOfUpdate(words, index))
      return [{ kind: word, from: index, to: endOf(words, index, ['from', 'where', 'returning']) }]
    return []
  })
}

/** Returns whether `set` follows `update`, a table and perhaps its alias. */
function isOfUpdate(words: readonly string[], index: number): boolean {
  const at = words.lastIndexOf('update', index)
  return at >= 0 && index - at <= 4 && words[at - 1] !== 'do'
}

/** Returns where a clause ends: at one of the words, or with the parentheses around it. */
function endOf(words: readonly string[], start: number, ends: readonly string[]): number {
  let depth = 0
  for (let index = start + 1; index < words.length; index++) {
    const word = words[index] as string
    if (word === '(') depth += 1
    else if (word === ')') depth -= 1
    if (depth < 0 || word === ';') return index
    if (depth === 0 && ends.includes(word) && words[index - 1] !== 'distinct') return index
  }
  return words.length
}

/** Returns whether the rows of an insert are given as `values`. */
function hasValues(words: readonly string[], index: number): boolean {
  return words.slice(words.lastIndexOf('insert', index), index).includes('values')
}

/** Returns whether a row that an insert gives as `values` contains a query. */
function insertsSubquery(words: readonly string[]): boolean {
  return words.some((word, index) => {
    if (word !== 'values' || !words.slice(0, index).includes('insert')) return false
    return words.slice(index, endOf(words, index, ['on', 'returning'])).includes('select')
  })
}

const isParameter = (word: string) => /^\$\d+$/.test(word)

const CLOCK = /^(current_(date|time|timestamp)|localtime|localtimestamp)$/
/** Types whose conversion from and to others depends on the time zone or on the search path. */
const TYPES = /^(timestamptz|timestamp|date|time|timetz|regclass)$/

/** Returns what depends on time, time zone or session at this place of a clause; null if nothing does. */
function mutableAt(
  words: readonly string[],
  index: number,
  { mutableFunctions, timeColumns }: RuleContext,
): string | null {
  const [before = '', word = '', after = '', next = ''] = [words[index - 1], ...words.slice(index, index + 3)]
  if (CLOCK.test(word)) return word
  if (after === '(' && mutableFunctions.has(word) && !isSecondsBetween(words, index)) return `${word}()`
  // The type of a parameter, which needs no conversion.
  if (word === '::' && TYPES.test(after) && !isParameter(before)) return `a conversion to ${after}`
  if (word === '::' && after === 'text' && timeColumns.has(before)) return 'a conversion of a time'
  // PostgreSQL adds months and days in the time zone of the session.
  if (/^[+-]$/.test(word) && /^(make_)?interval$/.test(after)) return 'an addition to a time'
  if (/^[+-]$/.test(word) && /^'/.test(after) && next === '::') return 'an addition to a time'
  if (word === '+' && [before, ...operandAt(words, index)].some((one) => timeColumns.has(one)))
    return 'an addition to a time'
  return null
}

/** Returns the words of the operand behind an operator: a name, or all in parentheses. */
function operandAt(words: readonly string[], index: number): readonly string[] {
  const start = words[index + 2] === '.' ? index + 3 : index + 1
  return words[start] === '(' ? words.slice(start, endOf(words, start, [])) : words.slice(start, start + 1)
}

/** `extract(epoch from a - b)`: a difference of two times depends on no time zone. */
function isSecondsBetween(words: readonly string[], index: number): boolean {
  const [word, , field] = words.slice(index)
  return (
    word === 'extract' && field === 'epoch' && words.slice(index, endOf(words, index + 1, [])).includes('-')
  )
}

/** Counts the changes of tables, except `for update`, `do update` and `on update`. */
function countChanges(words: readonly string[]): number {
  return words.filter((word, index) => {
    const [before = '', after = ''] = [words[index - 1], words[index + 1]]
    if (word === 'update') return !/^(for|do|on|key)$/.test(before)
    return (
      (word === 'insert' && after === 'into') || (word === 'delete' && after === 'from') || word === 'merge'
    )
  }).length
}
