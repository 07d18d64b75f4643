import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spawnCommand, startCommand } from '../test/support/command.ts'
import { VERSION } from './lib/version.ts'

// Tests of commands run them in their own process. These run the program itself.

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'sendwright-main-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const given = () => ({ environment: { HOME: directory, SENDWRIGHT_DATA_DIR: directory }, directory })

test('0 for --version, which prints the version alone', async () => {
  expect(await spawnCommand(['--version'], given())).toMatchObject({
    code: 0,
    stdout: `${VERSION}\n`,
    stderr: '',
  })
})

test("0 for an operator's command that reads a pipe", async () => {
  const dsn = 'Final-Recipient: rfc822; x@example.org\nAction: delayed\nStatus: 4.4.1\n'
  const message = `Content-Type: message/delivery-status\n\n${dsn}`
  const read = await spawnCommand(['notice', 'read', '-'], given(), message)
  expect(read).toMatchObject({ code: 0, stderr: '' })
  expect(read.json()).toMatchObject([{ file: '-', recipient: 'x@example.org', action: 'delayed' }])
})

test.each([
  ['without a command', []],
  ["for a developer's command", ['emails', 'frob']],
])('2 and the usage on standard error for a usage error, %s', async (_, args) => {
  const { code, stdout, stderr } = await spawnCommand(args, given())
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).not.toBe('')
})

test("1 and one sentence when an operator's command fails", async () => {
  const environment = { ...given().environment, DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/x' }
  const { code, stdout, stderr } = await spawnCommand(['team', 'list'], { environment })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^The database cannot be used: .*ECONNREFUSED.*\n$/)
})

test("0 when the reader of a developer's command leaves, as head does", async () => {
  const child = startCommand(['profiles', '--json'], given())
  child.stdin.end()
  child.stdout.destroy()
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})
