import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describePublishedApi } from '../../test/support/published-document.ts'
import { readClientApi } from './generate/read-clients.ts'
import { readSdk } from './generate/read-methods.ts'
import { Models } from './generate/read-models.ts'
import { writePhp } from './generate/write-php.ts'
import { writePython } from './generate/write-python.ts'

const ROOT = join(import.meta.dirname, '..')
const API = readClientApi(describePublishedApi())

describe.each([
  { folder: 'python/sendwright', pattern: '{resources/*,types}.py', files: writePython(API) },
  { folder: 'php', pattern: 'src/{Resources/*,Resources,Types}.php', files: writePhp(API) },
])('$folder', ({ folder, pattern, files }) => {
  test.each(Object.entries(files))('%s is what the SDK and the OpenAPI document say', async (name, text) => {
    // `npm test -- clients/test/generated.test.ts -u` writes the file anew.
    await expect(text).toMatchFileSnapshot(join(ROOT, folder, name))
  })

  test('has no file of a resource that is gone', () => {
    expect(globSync(pattern, { cwd: join(ROOT, folder) }).sort()).toEqual(Object.keys(files).sort())
  })
})

const readType = (schemas: object, schema: object) =>
  new Models({ components: { schemas } }).typeOf(schema, 'Email')

test('two objects with the same name are an error: one would have the fields of the other', () => {
  const file = { type: 'object', properties: { size: { type: 'integer' } } }
  const own = { type: 'object', properties: { id: { type: 'string' } } }
  const email = (EmailAttachment: object) =>
    readType(
      { EmailAttachment },
      { properties: { file: { $ref: '#/components/schemas/EmailAttachment' }, attachment: file } },
    )
  expect(() => email(own)).toThrow('Two different objects are called EmailAttachment.')
  expect(email(file)).toEqual({ kind: 'model', name: 'Email' })
})

test('an object or null has both types', () => {
  expect(readType({}, { type: ['object', 'null'], properties: {} })).toEqual({
    kind: 'union',
    of: [{ kind: 'model', name: 'Email' }, { kind: 'null' }],
  })
})

test('every method of the SDK is read', () => {
  const folder = join(ROOT, '../packages/sdk/src/resources')
  const source = globSync('*.ts', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('')
  const calls = source.match(/this\.(?:call|page|bytes|download)\('/g) ?? []
  expect(readSdk().flatMap(({ methods }) => methods)).toHaveLength(calls.length)
})
