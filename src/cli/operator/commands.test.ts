import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../../test/support/command.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { findTexts } from '../../../test/support/personal-data.ts'
import { describeSettings } from '../../config/config.ts'
import { upsertPauses } from '../../delivery/sites/sites-queries.ts'
import { takeWarmup } from '../../delivery/sources/sources-queries.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { newId } from '../../lib/ids.ts'

const SENDWRIGHT_SECRET_KEY = '0123456789abcdef'.repeat(4)

let folder: string
let database: TestDatabase

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-cli-'))
  database = await createDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Runs the command line. Its output is a pipe, not a terminal, so it responds in JSON. */
function sendwright(args: readonly string[], settings: Record<string, string> = {}, input?: string) {
  const environment = {
    DATABASE_URL: database.url,
    SENDWRIGHT_DATA_DIR: folder,
    SENDWRIGHT_SECRET_KEY,
    ...settings,
  }
  return runCommand(args, { environment }, input)
}

test('0 for every step from a new team to a queued email, each with one JSON value', async () => {
  const team = (await sendwright(['team', 'create', 'Åcme GmbH', '--plan', '10K', '--json'])).json()
  expect(team).toMatchObject({ object: 'team', name: 'Åcme GmbH', plan: '10k', sending_paused_at: null })
  expect((await sendwright(['team', 'plan', team.id, 'free'])).json()).toMatchObject({ plan: 'free' })
  expect((await sendwright(['team', 'list'])).json()).toMatchObject([{ id: team.id, plan: 'free' }])

  const key = (await sendwright(['key', 'create', '--name', 'app', '--permission', 'send'])).json()
  expect(key).toMatchObject({ team_id: team.id, permission: 'send', status: 'active' })
  expect(key.token).toMatch(/^sw_[0-9A-Za-z]{40}$/)
  const listed = await sendwright(['key', 'list', '--team', team.id])
  expect(listed.json()).toMatchObject([{ id: key.id, prefix: key.token.slice(0, 8) }])
  expect(listed.stdout).not.toContain(key.token)
  expect((await sendwright(['key', 'revoke', key.id])).json()).toMatchObject({ status: 'revoked' })

  const domain = (await sendwright(['domain', 'add', 'Shop.Example.com'])).json()
  expect(domain).toMatchObject({ name: 'shop.example.com', status: 'verified', captured: true })
  const records = (await sendwright(['domain', 'records', 'shop.example.com'])).json()
  expect(records.map((record: { record: string }) => record.record)).toContain('DKIM')
  const zone = await sendwright(['domain', 'records', 'shop.example.com', '--format', 'zone'])
  expect(zone.stdout).toMatch(/^sw-\w{8}-rsa\._domainkey\.shop\.example\.com\. 3600 IN TXT "v=DKIM1; /m)
  expect((await sendwright(['domain', 'list'])).json()).toMatchObject([{ id: domain.id }])

  const email = ['--from', 'Shop <a@shop.example.com>', '--to', 'x@example.org', '--to', 'y@example.org']
  const sent = await sendwright(
    ['send', ...email, '--subject', 'Hello', '--attach', import.meta.filename],
    {},
    'From a pipe.\n',
  )
  expect(sent).toMatchObject({ code: 0 })
  const waiting = (await sendwright(['queue', '--domain', 'example.org'])).json()
  expect(waiting).toMatchObject([
    { email_id: sent.json().id, to: 'x@example.org', status: 'queued', why: 'ready to send' },
    { email_id: sent.json().id, to: 'y@example.org', status: 'queued', why: 'ready to send' },
  ])
  expect((await sendwright(['queue', '--domain', 'example.net'])).json()).toEqual([])

  const file = join(folder, 'windows-1252.txt')
  writeFileSync(file, 'Grüße', 'latin1')
  const undecoded = await sendwright(['send', ...email, '--subject', 'Hello', '--text-file', file])
  expect(undecoded).toMatchObject({ code: 1, stdout: '', stderr: `${file} is not UTF-8 text.\n` })

  const paused = await sendwright(['team', 'pause', team.id, '--reason', 'The invoice is not paid.'])
  expect(paused.json()).toMatchObject({
    sending_paused_at: expect.stringMatching(/^\d{4}-/),
    paused_by: 'operator',
    paused_reason: 'The invoice is not paid.',
  })
  expect((await sendwright(['team', 'list'])).json()).toMatchObject([{ paused_by: 'operator' }])
  const refused = await sendwright(['send', ...email, '--subject', 'Hello', '--text', 'x'])
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: 'Sending is paused for this account.\n' })
  expect((await sendwright(['team', 'resume', team.id])).json()).toMatchObject({
    sending_paused_at: null,
    paused_by: null,
    paused_reason: null,
    guard_until: expect.stringMatching(/^\d{4}-/),
  })
})

test('0 when a DSN is read: a row for each recipient, without a database', async () => {
  const folderOfDsns = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'notices')
  const files = ['lhost-exim-02.eml', 'rfc3834-01.eml', 'arf-16.eml'].map((name) => join(folderOfDsns, name))
  const away = { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/x' }
  const read = await sendwright(['notice', 'read', ...files, '--json'], away)
  expect(read).toMatchObject({ code: 0, stderr: '' })
  const rows = read.json()
  expect(rows).toHaveLength(2 + 1 + 7)
  expect(rows[0]).toMatchObject({
    file: files[0],
    kind: 'delivery_status',
    recipient: 'kijitora@example.jp',
    action: 'failed',
    state: 'bounced',
    category: 'no_such_address',
    hard: true,
    fault: 'recipient',
    suppress: true,
    enhanced_code: '5.1.1',
    smtp_code: 550,
    advice: 'The address does not exist. Sendwright will not retry.',
  })
  expect(rows[2]).toMatchObject({ kind: 'auto_reply', recipient: null, hard: false, category: null })
  expect(rows[3]).toMatchObject({ kind: 'complaint', feedback: 'abuse', recipient: 'kijitora@example.com' })

  const dsn = 'Final-Recipient: rfc822; x@example.org\nAction: delayed\nStatus: 4.4.1\n'
  const piped = await sendwright(
    ['notice', 'read', '-'],
    away,
    `Content-Type: message/delivery-status\n\n${dsn}`,
  )
  expect(piped.json()).toMatchObject([{ recipient: 'x@example.org', action: 'delayed', hard: false }])
  expect(await sendwright(['notice', 'read', '/nowhere'])).toMatchObject({ code: 1, stdout: '' })
})

test('1 and one sentence on standard error when the command is rejected or the database is unavailable', async () => {
  const unknown = await sendwright(['team', 'pause', '01998000-0000-7000-8000-000000000000'])
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toMatch(/^There is no team 0199.*\n$/)
  const away = await sendwright(['team', 'list'], { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/x' })
  expect(away).toMatchObject({ code: 1, stdout: '' })
  expect(away.stderr).toMatch(/^The database cannot be used: .*ECONNREFUSED.*\n$/)
  const settings = await sendwright(['team', 'list'], { PORT: 'x', LOG_LEVEL: 'loud' })
  expect(settings.code).toBe(1)
  expect(settings.stderr).toMatch(/2 problems:\n {2}- PORT: .*\n {2}- LOG_LEVEL: .*\n$/)
})

test('2 for usage errors: an unknown command, option, plan or id, a missing argument, no command', async () => {
  const wrong = [
    ['team', 'frob'],
    ['team', 'list', '--frob'],
    ['team', 'create'],
    ['team', 'create', 'x', '--plan', 'gold'],
    ['team', 'pause', 'not-an-id'],
    ['key', 'create'],
    ['key', 'create', '--name', 'x', '--expires', 'tomorrow'],
    ['serve', '--roles', 'cook'],
    [],
  ]
  const answers = wrong.map(async (args) => {
    const { code, stdout, stderr } = await sendwright(args)
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
    expect(stderr).not.toBe('')
  })
  await Promise.all(answers)
})

test('0 for help, which names every command and every setting', async () => {
  const { code, stdout } = await sendwright(['--help'])
  expect(code).toBe(0)
  for (const name of ['serve', 'migrate', 'team', 'key', 'domain', 'send', 'queue', 'sources', 'notice'])
    expect(stdout).toContain(`  ${name}`)
  for (const { name } of describeSettings()) expect(stdout).toContain(`  ${name}\n`)
  expect((await sendwright(['send', '--help'])).stdout).toContain('--scheduled-at')
})

test("0 with the source addresses and today's warm-up; 1 with every problem in the rules file", async () => {
  const path = join(folder, 'rules.json')
  const startedAt = new Date().toISOString()
  const sources = [
    { name: 'one', address: '127.0.0.2', ehlo_name: 'one.test', warmup: { started_at: startedAt } },
    { name: 'two', address: '192.0.2.7', ehlo_name: 'two.test' },
  ]
  const settings = { SENDWRIGHT_RULES_FILE: path }
  writeFileSync(path, JSON.stringify({ sources, pools: [{ name: 'receipts', sources: ['two'] }] }))
  const day = startedAt.slice(0, 10)
  await takeWarmup(database.db, { source: 'one', group: 'google', day }, 7, 50)
  const listed = await sendwright(['sources'], settings)
  expect(listed.json()).toMatchObject([
    { name: 'one', here: 'yes', pools: ['default'], warming_day: 1, google: '7/50', other: '0/50' },
    { name: 'two', here: 'no', pools: ['receipts', 'default'], warming_day: null, groups: [] },
  ])
  writeFileSync(
    path,
    JSON.stringify({ sources: [...sources, sources[0]], assign: [{ match: {}, pool: 'x' }] }),
  )
  expect(await sendwright(['sources'], settings)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('assign[0].match'),
  })
  expect((await sendwright(['sources'])).json()).toMatchObject([{ name: 'default', address: null }])
})

test('0 for sites with the reason of their pause, and when one is resumed; 1 when none is paused', async () => {
  const now = new Date()
  const pausedUntil = new Date(now.getTime() + 3_600_000)
  const why = { failures: 2, category: 'unreachable', reason: 'no connection', changedAt: now }
  await upsertPauses(database.db, [{ name: 'mx.shut.test', state: 'paused', pausedUntil, ...why }])
  const sites = await sendwright(['sites', '--site', 'shut'])
  expect(sites.json()).toMatchObject([{ name: 'mx.shut.test', state: 'paused', reason: 'no connection' }])
  const resume = ['sites', 'resume', 'mx.shut.test']
  expect((await sendwright(resume)).json()).toMatchObject({ name: 'mx.shut.test', resumed: true })
  const again = await sendwright(resume)
  expect(again.code).toBe(1)
  expect(again.stderr).toContain('No site "mx.shut.test" is paused or stopped')
})

test('1 when the doctor finds a problem, each finding with advice; the delivery rules are checked too', async () => {
  const rules = join(folder, 'bad-rules.json')
  writeFileSync(rules, '{"sources": 3}')
  const found = await sendwright(['doctor', '--ntp', '127.0.0.1:1', '--json'], {
    SENDWRIGHT_DELIVERY: 'capture',
    SENDWRIGHT_RULES_FILE: rules,
  })
  expect(found.code).toBe(1)
  const of = (check: string) => found.json().find((one: { check: string }) => one.check === check)
  expect(of('delivery rules')).toMatchObject({ level: 'problem', found: expect.stringContaining('sources') })
  expect(of('delivery')).toMatchObject({ level: 'note', advice: expect.any(String) })
})

test('a doctor without a network does not suggest another time server', async () => {
  const found = await sendwright(['doctor', '--ntp', 'time.invalid', '--json'], {
    SENDWRIGHT_DELIVERY: 'capture',
  })
  const clock = found
    .json()
    .find((one: { check: string }) => one.check.startsWith('clock against time.invalid'))
  expect(clock).toMatchObject({ level: 'note', advice: expect.stringContaining('Check the network') })
})

test('0 for retention, with separate periods for one team, and the size and end of every week', async () => {
  const { id } = (await sendwright(['team', 'create', 'Archive'])).json()
  const kept = await sendwright(['team', 'keep', id, '--content', 'forever', '--webhook-deliveries', '7d'])
  expect(kept.json()).toMatchObject({
    team_id: id,
    content: 'forever',
    webhook_deliveries: '7d',
    emails: 'forever',
  })
  const reset = await sendwright(['team', 'keep', id, '--content', 'default'])
  expect(reset.json()).toMatchObject({ content: '30d', attempts: '30d', emails: '90d' })
  expect((await sendwright(['team', 'keep', id])).json()).toEqual(reset.json())
  expect((await sendwright(['team', 'keep', id, '--events', '3d'])).code).toBe(1)
  expect((await sendwright(['team', 'keep', id, '--events', 'long'])).code).toBe(2)

  const tables = (await sendwright(['retention'], { SENDWRIGHT_KEEP_EVENTS: 'forever' })).json()
  const keeps = Object.fromEntries(
    tables.map(({ table, keep }: { table: string; keep: string }) => [table, keep]),
  )
  expect(keeps).toMatchObject({ email: 'forever', email_content: '30d', event: 'forever', attempt: '30d' })
  expect(tables[0].weeks[0]).toMatchObject({ next: 'keep', held_by: null })
  expect(tables[0].weeks[0].bytes).toBeGreaterThan(0)
})

test('0 when a person is listed, exported and erased; 1 without --yes', async () => {
  const team = (await sendwright(['team', 'create', 'Forgetful', '--json'])).json()
  const other = (await sendwright(['team', 'create', 'Other', '--json'])).json()
  for (const { id } of [team, other]) {
    await database.db.query(
      `insert into contact (team_id, id, email, first_name, unsubscribed, created_at, updated_at)
       values ($1, $2, 'jane@person.test', $3, false, now(), now())`,
      [id, newId(), 'Jane\u009b'],
    )
  }
  const asked = await sendwright(['erase', 'Jane@Person.test'])
  expect(asked).toMatchObject({ code: 1, stdout: '' })
  expect(asked.stderr).toMatch(/Forgetful.*1 contact rows.*\n.*Other.*1 contact rows.*\n.*--yes/)

  const known = await sendwright(['export-person', 'jane@person.test'])
  // Raw, some terminals would obey it.
  expect(known.stdout).toContain('"Jane\\u009b"')
  expect(known.json()).toMatchObject([
    { team_id: team.id, person: { contact: { first_name: 'Jane\u009b' } } },
    { team_id: other.id, person: { email: 'jane@person.test' } },
  ])

  const first = await sendwright([
    'erase',
    'jane@person.test',
    '--team',
    other.id,
    '--yes',
    '--keep-suppressed',
  ])
  expect(first.json()).toMatchObject([{ team_id: other.id, status: 'completed', emails: 0 }])
  const rest = (await sendwright(['erase', 'jane@person.test', '--yes', '--json'])).json()
  expect(rest.map((one: { team_id: string }) => one.team_id)).toEqual([team.id, other.id])
  expect(await findTexts(database.db, ['jane@person.test', 'Jane'])).toEqual([])
  const audit = await database.db.query(
    "select team_id from audit where action = 'contacts.erase' order by id",
  )
  expect(audit.map((row) => row.teamId)).toEqual([other.id, team.id, other.id])
})

test('0 when only events name a person: they are exported and erased', async () => {
  const team = (await sendwright(['team', 'create', 'Only Events', '--json'])).json()
  const address = 'eve@events.test'
  const subjectId = newId()
  await database.db.transaction(async (tx) => {
    const data = { id: subjectId, email: address, reason: 'manual' }
    recordEvents(
      tx,
      (['suppression.added', 'suppression.removed'] as const).map((type) => ({
        teamId: team.id,
        subjectId,
        type,
        data,
      })),
      new Date(),
    )
  })
  const known = (await sendwright(['export-person', address])).json()
  expect(known).toMatchObject([
    {
      team_id: team.id,
      person: { contact: null, events: [{ type: 'suppression.added' }, { type: 'suppression.removed' }] },
    },
  ])
  const asked = await sendwright(['erase', address])
  expect(asked.stderr).toMatch(/Only Events.*2 events of contacts and suppressions/)
  expect((await sendwright(['erase', address, '--yes', '--json'])).json()).toMatchObject([
    { team_id: team.id, status: 'completed' },
  ])
  expect(await findTexts(database.db, [address])).toEqual([])
  expect((await sendwright(['erase', address, '--yes'])).stderr).toContain('No data was found')
})

test('0 without --team for a key and a domain that only one of several teams has, 1 for a name that several have', async () => {
  const [one, two] = [
    (await sendwright(['team', 'create', 'Unique One'])).json(),
    (await sendwright(['team', 'create', 'Unique Two'])).json(),
  ]
  const key = (await sendwright(['key', 'create', '--name', 'x', '--team', two.id])).json()
  expect((await sendwright(['key', 'revoke', key.id])).json()).toMatchObject({
    team_id: two.id,
    status: 'revoked',
  })
  const unknown = newId()
  const none = await sendwright(['key', 'revoke', unknown])
  expect(none).toMatchObject({ code: 1, stderr: `No team has the key ${unknown}. Check its id or name.\n` })

  const domain = (await sendwright(['domain', 'add', 'one.unique.example', '--team', one.id])).json()
  for (const text of [domain.id, 'One.Unique.example']) {
    expect(await sendwright(['domain', 'records', text])).toMatchObject({ code: 0, stderr: '' })
  }
  await sendwright(['domain', 'add', 'both.unique.example', '--team', one.id])
  await sendwright(['domain', 'add', 'both.unique.example', '--team', two.id], {
    SENDWRIGHT_DELIVERY: 'direct',
  })
  const both = await sendwright(['domain', 'records', 'both.unique.example'])
  expect(both).toMatchObject({
    code: 1,
    stderr: 'Several teams have the domain both.unique.example. Choose one with --team.\n',
  })
})

test('a command on an empty data directory names that directory and the default of a server', async () => {
  const empty = join(folder, 'empty-data')
  const settings = { DATABASE_URL: '', SENDWRIGHT_DATA_DIR: empty }
  const first = await sendwright(['team', 'list'], settings)
  expect(first).toMatchObject({ code: 0, stdout: '[]\n' })
  expect(first.stderr).toContain(`Created an empty database in ${empty}, which had none.`)
  expect(first.stderr).toContain(`by default ${join(import.meta.dirname, '..', '..', '..', 'data')}`)
  expect(await sendwright(['team', 'list'], settings)).toMatchObject({ code: 0, stderr: '' })
})
