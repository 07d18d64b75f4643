import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Ended, runCommand } from '../support/command.ts'
import { listenHere } from '../support/listen-here.ts'

interface Answer {
  status?: number
  json: object
}

/**
 * Runs a command in a folder with a CSV file, inside an empty one, with a server that gives this answer to each request; to
 * those after the first one, `later`.
 */
async function runAgainst(answer: Answer, args: readonly string[], later = answer) {
  let count = 0
  const server = createServer((_, response) => {
    const { status = 200, json } = count++ === 0 ? answer : later
    // Without this, the connection of the client would stay open after the command.
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
    response.end(JSON.stringify(json))
  })
  const { url, close } = await listenHere(server)
  onTestFinished(close)
  const outer = mkdtempSync(join(tmpdir(), 'sendwright-hostile-'))
  onTestFinished(() => rmSync(outer, { recursive: true }))
  const directory = mkdtempSync(join(outer, 'home-'))
  writeFileSync(join(directory, 'contacts.csv'), 'email\nann@people.test\n')
  const environment = { HOME: directory, SENDWRIGHT_URL: url, SENDWRIGHT_API_KEY: 'sw_any' }
  const ended: Ended = await runCommand(args, { environment, directory })
  return { ...ended, outer, directory }
}

const TEMPLATE = {
  object: 'template',
  name: 'Any',
  subject: 'Any',
  from: 'a@sender.test',
  reply_to: null,
  variables: [],
  html_content: '',
  text_content: 'Any',
}

test.each([
  { id: '../outside', alias: null },
  { id: '../../x', alias: '../y' },
  { id: '/tmp/x', alias: null },
  { id: '..', alias: null },
  { id: '.', alias: null },
  { id: 'a\\..\\..\\b', alias: null },
  { id: ['..', 'x'], alias: null },
])('pull writes nothing outside of its folder for the id $id and the alias $alias', async (names) => {
  const ended = await runAgainst({ json: { ...TEMPLATE, ...names } }, ['templates', 'pull', 'any'])
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(
    /^The server returned a template whose id cannot be the name of a folder: .+\n$/,
  )
  expect([readdirSync(ended.outer).length, readdirSync(ended.directory)]).toEqual([
    1,
    ['contacts.csv', 'templates'],
  ])
  expect(readdirSync(join(ended.directory, 'templates'))).toEqual([])
})

const EVIL = '\u001b]0;title\u0007\u001b[2J\u009b31m\rfirst\nsecond'

test.each([
  { args: ['emails', 'list'], errors: {}, stderr: ' first second\n' },
  {
    args: ['emails', 'list'],
    errors: { from: [`a${EVIL}`], to: [`b${EVIL}`, 'c'] },
    stderr: 'a first second\nb first second\nc\n',
  },
  {
    args: ['contacts', 'import', 'contacts.csv'],
    errors: { email: [EVIL, EVIL] },
    stderr: ' first second\n first second\n',
  },
])('the messages of an error cannot control the terminal or begin a line: $args $errors', async (given) => {
  const json = { name: 'validation_error', message: EVIL, statusCode: 422, errors: given.errors }
  expect(await runAgainst({ status: 422, json }, given.args)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: given.stderr,
  })
})

test('an import is named if its end cannot be awaited', async () => {
  const later = { status: 404, json: { name: 'not_found', message: 'Not found.', statusCode: 404 } }
  const begun = { json: { object: 'import', id: 'a1', status: 'running' } }
  expect(await runAgainst(begun, ['contacts', 'import', 'contacts.csv'], later)).toMatchObject({
    code: 1,
    stderr: 'The import goes on: see GET /contacts/imports/a1.\nNot found.\n',
  })
})

test('nor can a rejected row of an import', async () => {
  const ended = await runAgainst(
    {
      json: {
        object: 'import',
        id: EVIL,
        status: 'completed',
        rows_failed: 2,
        errors: [{ line: `1${EVIL}`, message: EVIL }],
      },
    },
    ['contacts', 'import', 'contacts.csv'],
  )
  expect(ended.code).toBe(1)
  expect(ended.stderr).toBe(
    'Line 1 first second:  first second\n1 more rows were rejected: see GET /contacts/imports/ first second/errors.\n',
  )
})
