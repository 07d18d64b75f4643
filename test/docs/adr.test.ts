import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'adr')
const RECORDS = globSync('0*.md', { cwd: FOLDER }).sort()
const FORM =
  /^# (?<number>\d{4})\. (?<title>.+)\n\n- Status: (?<status>\w+).*\n- Date: (?<date>\d{4}-\d\d-\d\d)\n\n## Context\n[\s\S]+\n## Decision\n[\s\S]+\n## Consequences\n[\s\S]+$/

const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8')

test('every decision record has the same form', () => {
  expect(RECORDS.filter((file) => !FORM.test(textOf(file)))).toEqual([])
})

test('docs/adr/README.md lists every decision record with its title, status and date', () => {
  const listed = [...textOf('README.md').matchAll(/^\| \[(\d+)\]\((\S+)\) \| (.+) \| (\w+).* \| (\S+) \|$/gm)]
  expect(listed.map((match) => match.slice(1))).toEqual(
    RECORDS.map((file) => {
      const { number, title, status, date } = FORM.exec(textOf(file))?.groups ?? {}
      return [number, basename(file), title, status, date]
    }),
  )
})
