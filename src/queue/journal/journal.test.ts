import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { placeOfProcesses, startOfProcess } from '../../lib/processes.ts'
import { Journal } from './journal.ts'
import {
  type JournalEntry,
  type JournalHeader,
  readEntry,
  readJournalHeader,
  writeEntry,
  writeJournalHeader,
} from './journal-format.ts'
import { findLeftJournals } from './left-journals.ts'

const NOW_MS = Date.now()
const INSTALLATION = '2026-01-01T00:00:00.000Z'
const log = createLog('silent')

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sendwright-journal-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'journals')
}

const ourHeader = (): JournalHeader => ({
  node: newId(),
  pid: process.pid,
  start: startOfProcess(process.pid),
  place: placeOfProcesses(),
  installation: INSTALLATION,
})
/** No process has this start time. */
const deadHeader = (): JournalHeader => ({ ...ourHeader(), start: '0' })

const entryOf = (fields: Partial<JournalEntry> = {}): JournalEntry => ({
  teamId: newId(),
  emailId: newId(),
  no: 0,
  attempt: 1,
  state: 'delivered',
  startedAtMs: NOW_MS,
  durationMs: 12,
  smtpCode: 250,
  enhancedCode: '2.0.0',
  response: 'Taken "as" \\ 17',
  mxHost: 'mx.example.com',
  mxAddress: '192.0.2.1',
  sourceAddress: null,
  tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
  signedAs: 'relay-date',
  ...fields,
})

const look = (directory: string, nowMs = NOW_MS) => findLeftJournals(directory, ourHeader(), nowMs)
const onlyFile = (directory: string) => join(directory, readdirSync(directory)[0] ?? '')
const linesIn = (directory: string) => readFileSync(onlyFile(directory), 'utf8').split('\n').slice(1, -1)

test('entries are readable by other processes after their own has ended, by the owner only', async () => {
  const directory = makeDirectory()
  const [one, two] = [entryOf(), entryOf({ no: 149, state: 'sent', response: null })]
  const journal = new Journal(directory, deadHeader(), log)
  journal.note(one)
  journal.note(two)
  const found = await look(directory)
  expect(found).toMatchObject({ left: [{ entries: [one, two], badCount: 0 }], skipped: [] })
  expect(statSync(onlyFile(directory)).mode & 0o777).toBe(0o600)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
})

test('alive: no other process takes the journal, and it is removed when its process ends with all settled', async () => {
  const directory = makeDirectory()
  const entry = entryOf()
  const journal = new Journal(directory, ourHeader(), log)
  journal.note(entry)
  expect(await look(directory)).toEqual({ left: [], skipped: [] })
  journal.forget(entry)
  journal.close()
  expect(readdirSync(directory)).toEqual([])
})

test('left behind by a process that ends with unsettled entries', async () => {
  const directory = makeDirectory()
  const journal = new Journal(directory, deadHeader(), log)
  journal.note(entryOf())
  journal.close()
  expect((await look(directory)).left).toHaveLength(1)
})

test('of another machine or container: alive while it is touched, dead 30 s later', async () => {
  const directory = makeDirectory()
  const journal = new Journal(directory, { ...ourHeader(), place: 'elsewhere' }, log)
  journal.beat(NOW_MS)
  expect((await look(directory, NOW_MS + 29_000)).left).toEqual([])
  expect((await look(directory, NOW_MS + 31_000)).left).toHaveLength(1)
  journal.beat(NOW_MS + 31_000)
  expect((await look(directory, NOW_MS + 32_000)).left).toEqual([])
})

test('truncated in the middle of a line, or damaged: intact entries are read', async () => {
  const directory = makeDirectory()
  const [one, two, three] = [entryOf(), entryOf(), entryOf()]
  const journal = new Journal(directory, deadHeader(), log)
  for (const entry of [one, two, three]) journal.note(entry)
  const path = onlyFile(directory)
  const [header, first, second, third] = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, `${header}\n${first}\n\0\0\0${second?.slice(3)}\n${third?.slice(0, -9)}`)
  expect((await look(directory)).left).toMatchObject([{ entries: [one], badCount: 2 }])
  writeFileSync(path, `${header}`)
  expect((await look(directory)).left).toMatchObject([{ entries: [], badCount: 0 }])
})

test('skipped: of another database, without a header, empty; removed when untouched for a week', async () => {
  const directory = makeDirectory()
  new Journal(directory, { ...deadHeader(), installation: 'another' }, log).note(entryOf())
  writeFileSync(join(directory, `${newId()}.journal`), 'not a journal\n')
  writeFileSync(join(directory, `${newId()}.journal`), '')
  writeFileSync(join(directory, `${newId()}.journal.new`), 'half a jour')
  writeFileSync(join(directory, 'notes.txt'), 'not ours')
  const { left, skipped } = await look(directory)
  expect(left).toEqual([])
  expect(skipped.map(({ why }) => why).sort()).toEqual([
    'it belongs to another database',
    'its first line cannot be read',
    'its first line cannot be read',
  ])
  expect(await look(directory, NOW_MS + 7 * 24 * 3_600_000)).toEqual({ left: [], skipped: [] })
  expect(readdirSync(directory)).toEqual(['notes.txt'])
})

test('bounded: rewritten with the open entries only', () => {
  const directory = makeDirectory()
  const journal = new Journal(directory, ourHeader(), log)
  const kept = entryOf()
  journal.note(kept)
  let bytesMax = 0
  for (let i = 0; i < 6000; i++) {
    const entry = entryOf()
    journal.note(entry)
    journal.forget(entry)
    bytesMax = Math.max(bytesMax, statSync(onlyFile(directory)).size)
  }
  expect(bytesMax).toBeGreaterThan(1_000_000)
  expect(bytesMax).toBeLessThan(1_050_000)
  expect(linesIn(directory)).toContain(writeEntry(kept).trimEnd())
  journal.forget(kept)
  journal.beat(NOW_MS)
  expect(linesIn(directory)).toEqual([])
  journal.note(kept)
  expect(linesIn(directory)).toEqual([writeEntry(kept).trimEnd()])
})

test('bounded: a limited number of entries that are never settled is kept', () => {
  const directory = makeDirectory()
  const journal = new Journal(directory, ourHeader(), log)
  for (let i = 0; i < 5000; i++) journal.note(entryOf())
  expect(linesIn(directory)).toHaveLength(4000)
})

test('removed while its process is alive: rewritten with the open entries', () => {
  const directory = makeDirectory()
  const journal = new Journal(directory, ourHeader(), log)
  const entry = entryOf()
  journal.note(entry)
  rmSync(directory, { recursive: true })
  journal.beat(NOW_MS)
  expect(linesIn(directory)).toEqual([writeEntry(entry).trimEnd()])
})

test('unwritable: logged once, and written as soon as possible', () => {
  const directory = makeDirectory()
  // A file in place of the directory: that stops even root.
  writeFileSync(directory, '')
  const lines: { level: string; msg: string }[] = []
  const log = createLog('info', { write: (line: string) => lines.push(JSON.parse(line)) } as never)
  const journal = new Journal(directory, ourHeader(), log)
  const [one, two] = [entryOf(), entryOf()]
  journal.note(one)
  journal.note(two)
  journal.forget(one)
  journal.beat(NOW_MS)
  expect(lines.map(({ level }) => level)).toEqual(['warn'])
  rmSync(directory)
  journal.beat(NOW_MS)
  expect(lines.map(({ level }) => level)).toEqual(['warn', 'info'])
  expect(linesIn(directory)).toEqual([writeEntry(two).trimEnd()])
})

test('unreadable: skipped', async () => {
  const directory = makeDirectory()
  new Journal(directory, deadHeader(), log).note(entryOf())
  const path = onlyFile(directory)
  rmSync(path)
  // A directory with that name: mode bits would not stop root.
  mkdirSync(path)
  expect((await look(directory)).skipped).toMatchObject([{ why: 'it cannot be read (EISDIR)' }])
})

test('only values that fit the columns are read from a line', () => {
  const entry = entryOf()
  const line = JSON.parse(writeEntry(entry)) as Record<string, unknown>
  expect(readEntry(JSON.stringify(line))).toEqual(entry)
  const wrong = [
    { team_id: 'x' },
    { email_id: null },
    { no: 150 },
    { no: 0.5 },
    { attempt: 0 },
    { attempt: 40_000 },
    { state: 'bounced' },
    { smtp_code: 550 },
    { started_at_ms: 1e300 },
    { duration_ms: -1 },
  ]
  for (const fields of wrong)
    expect(readEntry(JSON.stringify({ ...line, ...fields })), `${Object.keys(fields)}`).toBeNull()
  for (const text of ['', '{', 'null', '[]', '7', '\0']) expect(readEntry(text)).toBeNull()
  const odd = readEntry(JSON.stringify({ ...line, response: `\0\x1b[2J\ud800${'ü'.repeat(2000)}`, tls: 7 }))
  expect(odd?.response).toMatch(/^\\x00\\x1b\[2J/)
  expect(Buffer.byteLength(odd?.response ?? '')).toBeLessThanOrEqual(1024)
  expect(odd?.tls).toBeNull()
  const header = ourHeader()
  expect(readJournalHeader(writeJournalHeader(header))).toEqual(header)
  expect(
    readJournalHeader(writeJournalHeader(header).replace('"sendwright_journal":1', '"sendwright_journal":2')),
  ).toBeNull()
})

test('synced in the background: once for many lines, again for a line that came meanwhile, and not when idle', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const running: (() => void)[] = []
  const journal = new Journal(makeDirectory(), ourHeader(), log, (_file, done) => running.push(done))
  const pass = () => vi.advanceTimersByTimeAsync(1000)
  for (let count = 0; count < 10; count++) journal.note(entryOf())
  expect(running).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(10)
  expect(running).toHaveLength(1)
  journal.note(entryOf())
  await pass()
  expect(running).toHaveLength(1)
  running.pop()?.()
  await pass()
  expect(running).toHaveLength(1)
  running.pop()?.()
  await pass()
  expect(running).toHaveLength(0)
  journal.close()
})
