import { execFile } from 'node:child_process'
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { toCamelCase } from '../../../src/db/rows.ts'
import type { Column } from './describe-statement.ts'
import { NEVER_NULL } from './examples.ts'
import type { StatementCall } from './find-statements.ts'

/** A call with the columns of its statement, or of each statement that it can compose. */
export interface Described {
  call: StatementCall
  results: readonly (readonly Column[])[]
}

/**
 * `Checked<Row, Columns>` is `Row`, and a type error when a key is not a column or the values of a column do not
 * match. A key may be narrower than the schema: a union of the stored texts or numbers.
 */
const CHECKED = `
type Widened<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean
  : T extends readonly (infer Item)[] ? Widened<Item>[] : T
type Fitting<Row, Columns, Keys extends keyof Row = keyof Row> = {
  [Key in Keys]: Key extends keyof Columns
    ? [Columns[Key]] extends [Widened<Row[Key]>] ? Row[Key] : { column: Columns[Key] }
    : { column: 'missing' }
}
type Checked<Row extends Fitting<Row, Columns>, Columns> = Row
`

/** Keeps the compiler from checking a copy of a file. In two parts, because no source of ours may be exempt. */
const UNCHECKED = `// @ts-${'nocheck'}\n`

/**
 * Returns the compiler errors of a copy of the sources in which every asserted row type is checked against the
 * columns described by the database.
 * @param directory empty; receives the copy
 */
export async function findTypeErrors(
  root: string,
  directory: string,
  described: readonly Described[],
): Promise<string[]> {
  const filter = (file: string) =>
    !/\.test\.ts$|\/migrations$|\/packages\/\w+\/(test|node_modules)$/.test(file)
  for (const folder of ['src', 'packages']) {
    cpSync(join(root, folder), join(directory, folder), { recursive: true, filter })
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  cpSync(join(root, 'package.json'), join(directory, 'package.json'))
  writeFileSync(join(directory, 'checked.d.ts'), CHECKED)
  const byFile = Map.groupBy(
    described.filter(({ call }) => call.rowType !== null),
    ({ call }) => relative(root, call.file),
  )
  writeFileSync(join(directory, 'tsconfig.json'), settingsFor(root, [...byFile.keys()]))
  for (const file of globSync('{src,packages}/**/*.ts', { cwd: directory })) {
    const copy = join(directory, file)
    const [text, calls] = [readFileSync(copy, 'utf8'), byFile.get(file)]
    writeFileSync(copy, calls === undefined ? UNCHECKED + text : withChecks(text, calls))
  }
  return compile(root, directory)
}

/** Returns the settings of the compiler. It reads these files and all that they import, and checks only these. */
function settingsFor(root: string, files: readonly string[]): string {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  // The compiler would write its memory of earlier runs over that of the repository.
  const { incremental: _, tsBuildInfoFile: __, ...options } = compilerOptions
  return JSON.stringify({ compilerOptions: options, files: ['checked.d.ts', ...files] })
}

/** Adds the checks without changing line numbers. */
function withChecks(text: string, calls: readonly Described[]): string {
  const typed = calls.toSorted((a, b) => (b.call.rowType?.start ?? 0) - (a.call.rowType?.start ?? 0))
  let changed = text
  for (const { call, results } of typed) {
    const { start, end } = call.rowType ?? { start: 0, end: 0 }
    const types = new Set(results.map((columns) => typeOf(columns, NEVER_NULL[call.within] ?? [])))
    const checked = [...types].reduce((row, columns) => `Checked<${row}, ${columns}>`, text.slice(start, end))
    changed = changed.slice(0, start) + checked + changed.slice(end)
  }
  return changed
}

function typeOf(columns: readonly Column[], neverNull: readonly string[]): string {
  const fields = new Map(
    columns.map(({ name, type }) => [
      toCamelCase(name),
      neverNull.includes(name) ? type.replace(' | null', '') : type,
    ]),
  )
  return `{ ${[...fields].map(([key, type]) => `${JSON.stringify(key)}: ${type}`).join('; ')} }`
}

function compile(root: string, directory: string): Promise<string[]> {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const given = [compiler, '--noEmit', '--pretty', 'false', '--noUnusedLocals', 'false', '-p', directory]
  return new Promise((resolve) => {
    execFile(process.execPath, given, { cwd: directory, maxBuffer: 2 ** 26 }, (failure, stdout) => {
      const errors = stdout.split('\n').filter((line) => /^\S.*error TS/.test(line))
      resolve(failure !== null && errors.length === 0 ? [failure.message] : errors)
    })
  })
}
