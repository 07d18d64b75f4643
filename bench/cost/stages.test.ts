import { globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pathOf, stageOf } from './stages.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Rooms that only pass through on the way of an email, or are not on it: their callers or `other` have the cost. */
const WITHOUT_STAGE = [
  'accounts',
  'app',
  'audience',
  'automations',
  'campaigns',
  'certificates',
  'cli',
  'config',
  'inbound',
  'lib',
  'mcp',
  'operator',
  'privacy',
  'smtp',
]

const frame = (functionName: string, file = '') => ({
  functionName,
  url: file === '' || file.startsWith('node:') ? file : `file:///checkout/${file}`,
})

test('A stack belongs to the innermost function with a stage; native and unknown functions belong to their caller', () => {
  const write = [
    frame('writev'),
    frame('writeGeneric', 'node:internal/stream_base_commons'),
    frame('send', 'src/lib/async/batcher.ts'),
    frame('sendData', 'src/delivery/client/smtp-connection.ts'),
    frame('runTask', 'src/delivery/dispatch/deliver.ts'),
  ]
  expect(stageOf(write)).toBe('SMTP client')
  expect(stageOf(write.slice(0, 2))).toBe('Node: sockets')
  expect(stageOf([frame('mystery')])).toBe('other')
})

test('The database client is divided by direction', () => {
  const pg = (functionName: string, file: string) => stageOf([frame(functionName, `node_modules/${file}`)])
  expect(pg('bind', 'pg/lib/connection.js')).toBe('database client, out')
  expect(pg('addString', 'pg-protocol/dist/buffer-writer.js')).toBe('database client, out')
  expect(pg('_handleDataRow', 'pg/lib/client.js')).toBe('database client, in')
  expect(pg('parseDataRowMessage', 'pg-protocol/dist/parser.js')).toBe('database client, in')
  expect(pg('connect', 'pg-pool/index.js')).toBe('database pool, transactions')
  const own = (functionName: string, file: string) => stageOf([frame(functionName, `src/db/${file}`)])
  expect(own('uuid', 'arrays.ts')).toBe('database client, out')
  expect(own('sendStatement', 'send-statement.ts')).toBe('database client, out')
  expect(own('handleDataRow', 'send-statement.ts')).toBe('database client, in')
  expect(own('read', 'rows.ts')).toBe('database client, in')
  expect(own('runTransaction', 'transactions.ts')).toBe('database pool, transactions')
})

test('DKIM, MIME, JSON, and settling have stages of their own inside their rooms', () => {
  const of = (file: string) => stageOf([frame('f', file)])
  expect(of('src/mime/dkim.ts')).toBe('DKIM, without RSA itself')
  expect(of('src/mime/build.ts')).toBe('MIME: build, encode')
  expect(of('src/emails/accept/compose-email.ts')).toBe('MIME: build, encode')
  expect(of('src/emails/accept/accept-batch.ts')).toBe('acceptance')
  expect(of('src/http/json/shape.ts')).toBe('JSON and shape')
  expect(of('src/http/server/server.ts')).toBe('HTTP')
  expect(of('src/queue/settle-queries.ts')).toBe('settle')
  expect(of('src/queue/claim-queries.ts')).toBe('hand-off, claim, dispatch')
})

test('Garbage collection and native code without JavaScript are stages', () => {
  expect(stageOf([frame('(garbage collector)'), frame('(root)')])).toBe('garbage collection')
  expect(stageOf([frame('(program)'), frame('(root)')])).toBe('native, no JavaScript on the stack')
})

test('Every room has a stage, or is listed as one without', () => {
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((one) => one.isDirectory())
  const without = rooms
    .map(({ name }) => name)
    .filter((room) => {
      const files = globSync(`src/${room}/**/*.ts`, { cwd: ROOT }).filter((file) => !file.includes('.test.'))
      return files.some((file) => stageOf([frame('f', file)]) === 'other')
    })
  expect(without.sort()).toEqual(WITHOUT_STAGE)
})

test('The path is without the checkout, and without node_modules in node_modules', () => {
  expect(pathOf('file:///home/me/src/product/src/mime/dkim.ts')).toBe('src/mime/dkim.ts')
  expect(pathOf('file:///a/node_modules/b/node_modules/pg/lib/query.js')).toBe('pg/lib/query.js')
  expect(pathOf('node:net')).toBe('node:net')
})
