import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readRequirements } from '../support/requirements.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const REQUIREMENTS = readRequirements()
const DOCUMENTS = globSync(['*.md', '{bench,docs,ops,test}/**/*.md', '.github/**/*.md'], { cwd: ROOT })
const FILES = [
  ...globSync(['{src,test,bench,web}/**/*.{ts,tsx,sql,css,html}', 'bin/*.mjs'], { cwd: ROOT }),
  ...DOCUMENTS,
].filter((file) => !/(^|\/)(node_modules|dist|fixtures)\//.test(file))

/** Returns every invalid match of the pattern's first group, as `file: match`. */
function findInvalid(pattern: RegExp, isValid: (found: string, file: string) => boolean): string[] {
  return FILES.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)]
      .map(([, found = '']) => found)
      .filter((found) => !isValid(found, file))
      .map((found) => `${file}: ${found}`),
  )
}

test('every cited requirement exists', () => {
  const areas = new Set([...REQUIREMENTS.keys()].map((id) => id.slice(0, 3)))
  expect(areas.size).toBeGreaterThan(20)
  const cited = new RegExp(`\\b((?:${[...areas].join('|')})-\\d+)\\b`, 'g')
  expect(findInvalid(cited, (id) => REQUIREMENTS.has(id))).toEqual([])
})

test('every named document is in the repository', () => {
  const isThere = (name: string, file: string) =>
    existsSync(resolve(ROOT, dirname(file), name)) ||
    DOCUMENTS.some((document) => `/${document}`.endsWith(`/${name.replace(/^(\.\.?\/)+/, '')}`))
  expect(findInvalid(/(?<![\w$*{}<>./-])([\w./-]+\.md)\b/g, isThere)).toEqual([])
})
