import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { calledName, childrenOf, type Node } from '../syntax.ts'
import type { Scope } from './evaluate.ts'

/** A call that sends a statement. */
export interface StatementCall {
  file: string
  line: number
  /** The innermost enclosing function with a name. */
  within: string
  /** The expression of the SQL. */
  sql: Node
  scope: Scope
  /** The location of its row type, without the brackets; null when it has none. */
  rowType: { start: number; end: number } | null
}

/** The position of the SQL argument, by function name. */
const SENDERS: Readonly<Record<string, number>> = { query: 0, queryRange: 1, queryPatiently: 1 }

export interface Source {
  file: string
  text: string
  readonly program: Node
}

const sources = new Map<string, Source>()

export function readSource(file: string): Source {
  let source = sources.get(file)
  if (source === undefined) {
    const text = readFileSync(file, 'utf8')
    let program: Node | null = null
    source = {
      file,
      text,
      get program() {
        program ??= parseSync(file, text).program as unknown as Node
        return program
      },
    }
    sources.set(file, source)
  }
  return source
}

const SENDER = new RegExp(`\\b(${Object.keys(SENDERS).join('|')})\\b`)

/** Finds every call in a file that sends SQL. */
export function findStatements(file: string): StatementCall[] {
  const source = readSource(file)
  // Most files send none, and need not be parsed.
  if (!SENDER.test(source.text)) return []
  const found: StatementCall[] = []
  const walk = (node: Node, around: readonly Node[]) => {
    if (node.type === 'CallExpression') {
      const sql = (node.arguments as Node[])[SENDERS[calledName(node)] ?? -1]
      if (sql !== undefined && !isForwarded(sql, around)) found.push(describeCall(source, node, sql, around))
    }
    for (const child of childrenOf(node)) walk(child, [...around, node])
  }
  walk(source.program, [])
  return found
}

/** Returns whether the code forwards its caller's statement: `query: (sql, values) => db.query(sql, values)`. */
function isForwarded(sql: Node, around: readonly Node[]): boolean {
  if (sql.type !== 'Identifier') return false
  const last = around.findLast((node) => Array.isArray(node.params))
  return ((last?.params ?? []) as Node[]).some((param) => param.name === sql.name)
}

function describeCall(source: Source, call: Node, sql: Node, around: readonly Node[]): StatementCall {
  const types = call.typeArguments as Node | null | undefined
  const first = (types?.params as Node[] | undefined)?.[0]
  return {
    file: source.file,
    line: source.text.slice(0, call.start).split('\n').length,
    within: around.map(nameOf).findLast((name) => name !== '') ?? '',
    sql,
    scope: { source, around },
    rowType: first === undefined ? null : { start: first.start, end: first.end },
  }
}

function nameOf(node: Node): string {
  if (!/^(FunctionDeclaration|MethodDefinition)$/.test(node.type)) return ''
  const name = (node.id ?? node.key) as Node
  return typeof name.name === 'string' ? name.name : ''
}
