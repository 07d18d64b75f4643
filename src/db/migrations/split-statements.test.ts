import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { splitStatements } from './split-statements.ts'

test.each([
  ['two statements and a last semicolon', 'select 1; select 2;\n', ['select 1', 'select 2']],
  ['a comment before a statement', '-- a; b\nselect 1', ['select 1']],
  ['only comments', '-- a;\n/* b; */ ;', []],
  [
    'a block comment in another',
    'select /* a; /* b; */ c; */ 1; select 2',
    ['select /* a; /* b; */ c; */ 1', 'select 2'],
  ],
  ['a string with quotation marks', "select 'a;''b;'; select ';'", ["select 'a;''b;'", "select ';'"]],
  ['a string with backslashes', "select e'a\\';b'; select 2", ["select e'a\\';b'", 'select 2']],
  ['a backslash in a plain string', "select 'a\\'; select 2", ["select 'a\\'", 'select 2']],
  ['a quoted name', 'select 1 as "a;""b"; select 2', ['select 1 as "a;""b"', 'select 2']],
  ['dollar quotes', 'do $$begin; end;$$; select 2', ['do $$begin; end;$$', 'select 2']],
  [
    'dollar quotes with a tag, around others',
    'do $a$ x; $$ y; $b$ z; $a$; select $1; select a$b$c',
    ['do $a$ x; $$ y; $b$ z; $a$', 'select $1', 'select a$b$c'],
  ],
  [
    'a comment sign in a string',
    "select '--'; select '/*'; select 3",
    ["select '--'", "select '/*'", 'select 3'],
  ],
])('%s', (_, sql, statements) => {
  expect(splitStatements(sql)).toEqual(statements)
})

test('migrations contain no function body without quotation marks', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.sql'))
  const texts = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  expect(texts.filter((text) => /\bbegin atomic\b/i.test(text))).toEqual([])
})
