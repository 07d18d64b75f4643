/**
 * A part of SQL that is read as a whole, so that a semicolon in it ends no statement: a comment, a string (with backslashes after
 * an `e`), a quoted name, a dollar-quoted body, or a word. A block comment only begins here, because it can contain others.
 */
const PART =
  /(?<comment>--[^\n]*)|(?<block>\/\*)|\be'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>(?:[a-z_]\w*)?)\$.*?\$\k<tag>\$|[\w$]+|\s+|./gisu

/** A part of SQL. Comments are left out, and white space is one blank. */
type Part = string

/**
 * Returns the parts of SQL with their positions.
 * @yields `[start, part]`
 */
export function* readParts(sql: string): Generator<[start: number, part: Part]> {
  const pattern = new RegExp(PART)
  for (let match = pattern.exec(sql); match !== null; match = pattern.exec(sql)) {
    const [part] = match
    if (match.groups?.block !== undefined) pattern.lastIndex = endOfBlock(sql, match.index)
    else if (match.groups?.comment === undefined) yield [match.index, part.trim() === '' ? ' ' : part]
  }
}

/** Block comments can contain others (PostgreSQL manual, section 4.1.5). */
function endOfBlock(sql: string, start: number): number {
  const pattern = /\/\*|\*\//g
  pattern.lastIndex = start
  let depth = 0
  for (let match = pattern.exec(sql); match !== null; match = pattern.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return pattern.lastIndex
  }
  return sql.length
}

/**
 * Splits SQL into its statements, without the semicolons and comments between them. The bodies of functions must be quoted:
 * `begin atomic` is not supported.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let start: number | null = null
  const end = (at: number) => {
    if (start !== null) statements.push(sql.slice(start, at).trim())
    start = null
  }
  for (const [at, part] of readParts(sql)) {
    if (part === ';') end(at)
    else if (part !== ' ') start ??= at
  }
  end(sql.length)
  return statements
}
