import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOperations } from '../../../src/http/docs/openapi-refs.ts'
import { describePublishedApi } from '../../../test/support/published-document.ts'
import { isForPrograms, writeTypes } from './support/write-types.ts'

const SOURCE = join(import.meta.dirname, '../src')
const DOCUMENT = describePublishedApi()

test('the committed types are those of the OpenAPI document', async () => {
  // `npm test -- packages/sdk/test/document.test.ts -u` updates the file.
  await expect(await writeTypes(DOCUMENT)).toMatchFileSnapshot('../src/api.ts')
})

test('every operation for programs has a method', () => {
  const wanted = Object.entries(readOperations(DOCUMENT)).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isForPrograms(operation))
      .map(([method]) => `${method} ${path}`),
  )
  const source = globSync('**/*.ts', { cwd: SOURCE })
    .map((file) => readFileSync(join(SOURCE, file), 'utf8'))
    .join('')
  const calls = [
    ...source.matchAll(/this\.call\('(\w+)', '(\/[^']+)'|this\.(?:page|bytes|download)\('(\/[^']+)'/g),
  ].map(([, method, path, read]) => (read === undefined ? `${method} ${path}` : `get ${read}`))
  expect([...new Set(calls)].sort()).toEqual(wanted.sort())
})

test('every public class and method has a doc comment', () => {
  const undocumented = globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => file !== 'api.ts' && file !== 'types.ts')
    .flatMap((file) => {
      const lines = readFileSync(join(SOURCE, file), 'utf8').split('\n')
      return lines.flatMap((line, index) =>
        /^export (async )?(class|function) |^ {2}(async )?(?!constructor|if|for|return)[a-z]\w*(<.*>)?\(.*\{$/.test(
          line,
        ) && !/\*\/$/.test(lines[index - 1] ?? '')
          ? [`${file}:${index + 1} ${line.trim()}`]
          : [],
      )
    })
  expect(undocumented).toEqual([])
})
