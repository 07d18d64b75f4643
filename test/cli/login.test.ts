import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { givenMember, givenWhole } from '../support/browsing.ts'
import type { Ask } from '../support/people.ts'
import { useCommandLine } from './support/command-line.ts'

const line = useCommandLine()

/** Settings without any server, and with a profile file of its own. */
const settingsOf = (name: string) => ({
  SENDWRIGHT_URL: '',
  SENDWRIGHT_API_KEY: '',
  XDG_CONFIG_HOME: join(line.home, name),
})

async function givenAdmin(): Promise<Ask> {
  return (await givenMember(givenWhole(line.service), line.sender.id, 'admin')).inTeam(line.sender.id)
}

/** Starts a login and waits until it shows its code. */
async function startLogin(args: readonly string[], settings: Record<string, string>) {
  const child = line.start(['login', ...args], settings)
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const stdout = text(child.stdout)
  const notes: string[] = []
  createInterface({ input: child.stderr }).on('line', (note) => notes.push(note))
  await expect.poll(() => notes.join('\n')).toMatch(/code: [A-Z]{4}-[A-Z]{4}$/)
  return { code: notes.join('\n').slice(-9), notes, ended, stdout }
}

test('0 after an admin confirmed the login in the dashboard; the key works and the profile is stored', async () => {
  const settings = settingsOf('confirmed')
  const login = await startLogin(['--url', line.service.url, '--no-browser', '--json'], settings)
  expect(login.notes[0]).toBe(`Open ${line.service.config.publicUrl}/app/device#code=${login.code}`)
  const ask = await givenAdmin()
  const asked = await ask('POST /device-logins/inspect', { user_code: login.code })
  expect(asked.json).toMatchObject({ client_name: hostname() })
  const approved = await ask('POST /device-logins/approve', { user_code: login.code, name: 'From a test' })
  expect(approved.status).toBe(201)
  expect(await login.ended).toBe(0)
  const profile = JSON.parse(await login.stdout)
  expect(profile).toMatchObject({ object: 'profile', name: 'default', permission: 'full', current: true })
  expect((await line.run(['emails', 'list', '--json'], settings)).json()).toEqual([])
  const keys = await ask('GET /api-keys')
  expect(keys.json.data[0]).toMatchObject({ name: 'From a test', permission: 'full' })
})

test('1 when the person rejects the login, and no profile is stored', async () => {
  const settings = settingsOf('rejected')
  const login = await startLogin(['--url', line.service.url, '--no-browser'], settings)
  const ask = await givenAdmin()
  expect((await ask('POST /device-logins/deny', { user_code: login.code })).status).toBe(200)
  expect(await login.ended).toBe(1)
  expect(login.notes.at(-1)).toBe('This login was rejected.')
  expect(await login.stdout).toBe('')
  expect((await line.run(['profiles'], settings)).json()).toEqual([])
})

test('opens the page in the browser, and continues if the server restarts meanwhile', async () => {
  const programs = join(line.home, 'bin')
  const opened = join(line.home, 'opened')
  mkdirSync(programs)
  writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`)
  chmodSync(join(programs, 'xdg-open'), 0o755)
  const settings = { ...settingsOf('browser'), PATH: `${programs}:/usr/bin:/bin` }
  const login = await startLogin(['--url', line.service.url, '--browser'], settings)
  expect(login.notes[0]).toMatch(/^Opened http/)
  await expect.poll(() => readFileSync(opened, { encoding: 'utf8', flag: 'a+' })).toContain(login.code)
  await line.service.restart({ PORT: new URL(line.service.url).port })
  const ask = await givenAdmin()
  // The database may not be connected again yet.
  const approve = () => ask('POST /device-logins/approve', { user_code: login.code })
  await expect.poll(async () => (await approve()).status, { timeout: 30_000 }).toBe(201)
  expect([await login.ended, login.notes.slice(2)]).toEqual([0, []])
})

test('1 and an explanation for a server that cannot be reached, or does not support login in the browser', async () => {
  const { port } = new URL(line.service.url)
  const login = ['login', '--no-browser', '--url']
  const away = await line.run([...login, 'http://127.0.0.1:1'], settingsOf('away'))
  expect(away).toMatchObject({ code: 1, stdout: '' })
  expect(away.stderr).toBe('http://127.0.0.1:1 cannot be reached. Check that the server runs.\n')
  const other = await line.run([...login, `http://127.0.0.1:${port}/elsewhere`], settingsOf('away'))
  expect(other).toMatchObject({ code: 1, stdout: '' })
  expect(other.stderr).toContain('Create a key in its dashboard')
})
