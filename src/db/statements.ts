import type { RowKeys } from './rows.ts'

/** A statement as it is sent. Its SQL text identifies it: each is prepared once per connection. */
export interface Statement {
  /** Absent: the statement is planned each time and not prepared. */
  name?: string
  /** The keys of its rows, known from its first result. */
  keys: RowKeys | null
}

const statements = new Map<string, Statement>()

export function statementOf(sql: string): Statement {
  let statement = statements.get(sql)
  if (statement === undefined) {
    statement = { name: `s${statements.size}`, keys: null }
    statements.set(sql, statement)
  }
  return statement
}
