import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { API_ROUTES, OPERATOR_ROUTES } from '../../src/app/routes.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { readTexts } from '../../src/mime/raw/parse.ts'
import { givenMember, givenWhole } from '../support/browsing.ts'
import { requester } from '../support/client.ts'
import { inLanes } from '../support/lanes.ts'
import { openBrowser, tokenOf } from '../support/people.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import { givenWebhook } from '../support/webhooks.ts'

/** An account link logs its reader in as its recipient, so no response of the API may contain its token. */
const PATIENT = { timeout: 60_000 }
const LINK = /https:\/\/api\.test\/app\/(?:reset|invitation)#token=[\w-]{43}/g
/** Any 16 characters of a token contain one of its pieces of 8, and by chance no other text does. */
const PIECES = /[\w-]{8}/g
const KEY = /PRIVATE KEY/
const SECRETS = {
  SENDWRIGHT_SECRET_KEY: 'secret-key-that-no-answer-of-the-api-contains',
  SENDWRIGHT_OPERATOR_TOKEN: 'operator-token-that-no-answer-of-the-api-contains',
  SENDWRIGHT_METRICS_TOKEN: 'metrics-token-that-no-answer-of-the-api-contains',
  SENDWRIGHT_BOOTSTRAP_KEY: 'bootstrap-key-that-no-answer-of-the-api-contains',
}
/** The team of this domain sends account mail, so its users and keys might be able to read a link. */
const ACCOUNT_DOMAIN = 'accounts.test'
const ACCOUNT_FROM = { SENDWRIGHT_ACCOUNT_FROM: `no-reply@${ACCOUNT_DOMAIN}` }

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

type Get = (path: string, headers?: Record<string, string>) => Promise<{ status: number; text: string }>

async function startWatched(mode: 'capture' | 'direct', from: Record<string, string> = ACCOUNT_FROM) {
  const stream = new PassThrough()
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const service = await startTestSendwright({
    environment: { SENDWRIGHT_DELIVERY: mode, ...SECRETS, ...from },
    log: createLog('trace', stream),
    roles: ['api', 'deliver', 'scheduler', 'webhooks'],
  })
  stops.push(() => service.stop())
  const receiver = await startWebhookReceiver()
  stops.push(() => receiver.close())
  const team = await service.givenSender({ domain: ACCOUNT_DOMAIN })
  const { secret } = await givenWebhook(team, receiver)
  return {
    service,
    receiver,
    team,
    secrets: [secret, team.token, ...Object.values(SECRETS)],
    logged: () => text,
  }
}

/**
 * Requests a password reset of the owner and an invitation that is sent twice. Resolves to the address of the owner.
 */
async function requestLinks({ service, team }: { service: TestSendwright; team: Sender }) {
  const destination = service.givenDestination()
  const owner = await givenMember(givenWhole(service), team.id, 'owner', `olga@${destination}`)
  const reset = await openBrowser(() => service.url).ask('POST /password-resets', { email: owner.email })
  expect(reset.status).toBe(202)
  const invitation = { email: `ida@${destination}`, role: 'owner' }
  const invited = await owner.inTeam(team.id)('POST /team/invitations', invitation)
  expect(invited.status).toBe(201)
  const again = await owner.inTeam(team.id)(`POST /team/invitations/${invited.json.id}/resend`)
  expect(again.status).toBe(200)
  return { owner, answers: [invited.json, again.json] }
}

/** Returns a GET function for every reader of the installation. */
async function readersOf({ service, team }: { service: TestSendwright; team: Sender }) {
  const given = givenWhole(service)
  const byKey = (token: string): Get => requester(service.url, token).get
  const readers: Record<string, Get> = {
    'full key': byKey(team.token),
    'send key': byKey((await team.givenKey({ permission: 'send' })).token),
  }
  for (const role of ['viewer', 'member', 'admin', 'owner'] as const) {
    const person = await givenMember(given, team.id, role)
    readers[role] = (path, headers) => person.inTeam(team.id)(`GET ${path}`, undefined, headers)
  }
  const operator = await givenMember(given, team.id, 'viewer')
  await service.db.query('update user_account set is_operator = true where id = $1', [operator.id])
  await expect.poll(async () => (await operator.ask('GET /sites')).status, PATIENT).toBe(200)
  readers.operator = (path, headers) => operator.inTeam(team.id)(`GET ${path}`, undefined, headers)
  return readers
}

/** Returns the paths of a route for all records that its reader can list. */
async function pathsOf(idsOf: (path: string) => Promise<string[]>, path: string): Promise<string[]> {
  const [before, name] = /^([^:]*)\/:([A-Za-z]+)/.exec(path)?.slice(1) ?? []
  if (before === undefined) return [path]
  const ids = name === 'index' || name === 'version' ? ['0', '1'] : await idsOf(before)
  const paths = await Promise.all(ids.map((id) => pathsOf(idsOf, path.replace(`:${name}`, id))))
  return paths.flat()
}

/**
 * Returns a function for the ids of the records in a list, which is read once for all paths with these ids.
 * @param logs the ids of `/logs`, to which every request of the reader adds
 */
function createIds(get: Get, logs: string[]): (path: string) => Promise<string[]> {
  const known = new Map([['/logs', Promise.resolve(logs)]])
  return (path) => {
    const ids = known.get(path) ?? listIds(get, path)
    known.set(path, ids)
    return ids
  }
}

async function listIds(get: Get, path: string): Promise<string[]> {
  const { text } = await get(`${path}?per_page=100`)
  const data = text.startsWith('{') ? (JSON.parse(text).data ?? []) : []
  const ids = data.map((row: { id?: string }) => row.id ?? newId())
  return ids.length === 0 ? [newId()] : ids
}

/** Joins the lines that quoted-printable breaks anywhere (RFC 2045 section 6.7); JSON escapes the break. */
const joinLines = (text: string) => text.replaceAll(/=(\\r\\n|\r\n)/g, '')

/** Returns a function that finds a piece of a link in a text. */
function createSearch(links: readonly string[]): (text: string) => string | null {
  const pieces = links.flatMap((link) => tokenOf(link).match(PIECES) ?? [])
  expect(pieces.length).toBeGreaterThan(0)
  const pattern = new RegExp(pieces.join('|'))
  return (text) => pattern.exec(joinLines(text))?.[0] ?? null
}

function expectWithout(text: string, links: readonly string[], place: string): void {
  expect([place, createSearch(links)(text)]).toEqual([place, null])
}

/**
 * Returns whether the reader may see the secret: GET /webhooks/{id} shows the signing secret to those who may change
 * the webhook.
 */
const isOwn = (name: string, path: string, secret: string) =>
  ['full key', 'admin', 'owner'].includes(name) &&
  /^\/webhooks\/[^/]+$/.test(path) &&
  secret.startsWith('whsec_')

/**
 * Requests every GET route as every reader. No response may contain a link or a secret of the team or the
 * installation.
 */
async function expectNoSecrets(
  given: { service: TestSendwright; team: Sender; secrets: readonly string[] },
  links: readonly string[],
) {
  const paths = [...API_ROUTES, ...OPERATOR_ROUTES].filter(({ method }) => method === 'GET')
  const readers = await readersOf(given)
  // Entries are written a moment after their responses.
  const logs = await vi.waitUntil(async () => {
    const ids = await listIds(readers['full key'] as Get, '/logs')
    return ids.length > 3 ? ids : null
  }, PATIENT)
  const findLink = createSearch(links)
  for (const [name, get] of Object.entries(readers)) {
    let answered = 0
    const leaks: string[] = []
    const idsOf = createIds(get, logs)
    await inLanes(paths, async ({ path }) => {
      for (const one of await pathsOf(idsOf, path)) {
        const reply = await get(one)
        const shown = given.secrets.filter(
          (secret) => reply.text.includes(secret) && !isOwn(name, one, secret),
        )
        const found = [findLink(reply.text), ...shown, KEY.exec(reply.text)?.[0]].filter(
          (each) => each != null,
        )
        if (found.length > 0) leaks.push(`GET ${one}: ${found}`)
        if (reply.status === 200) answered++
      }
    })
    expect([name, leaks]).toEqual([name, []])
    expect([name, answered > (name === 'send key' ? 0 : 30)]).toEqual([name, true])
    for (const query of ['/emails?q=token', '/emails?q=password', '/events?subject_id=token'])
      expectWithout((await get(query)).text, links, `${name}: GET ${query}`)
  }
}

describe('a link of account mail, in capture mode', () => {
  test('is printed once in the log, and is in no response, event, webhook or table for any reader', async () => {
    const watched = await startWatched('capture')
    const { service, team, receiver, logged } = watched
    await team.settled(await team.send({ to: 'bob@anywhere.test' }))
    const { owner, answers } = await requestLinks(watched)
    await expect.poll(() => logged().match(LINK) ?? [], PATIENT).toHaveLength(3)
    const links = logged().match(LINK) as string[]
    expect(new Set(links).size).toBe(3)
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes('#token='))
      .map((line) => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', recipient: owner.email, link: expect.stringMatching(LINK) }),
    )
    expect(answers.map(({ emailed, printed }) => [emailed, printed])).toEqual([
      [false, true],
      [false, true],
    ])
    for (const { link } of answers) expect(links).toContain(link)
    await expectNoSecrets(watched, links)
    const { data } = (await team.get('/captured')).json
    expect(data.map((one: { envelope_to: string }) => one.envelope_to)).toEqual(['bob@anywhere.test'])
    await expect.poll(() => receiver.received.length, PATIENT).toBeGreaterThan(0)
    for (const { text } of receiver.received) expectWithout(text, links, 'a webhook')
    expectWithout(await everyRow(service), links, 'the database')
  })

  test('is not captured when it was queued earlier, and is removed where it was stored', async () => {
    const { service, team, logged } = await startWatched('direct')
    service.mx.recipients['olga@away.test'] = '451 4.3.0 Later'
    service.dns.set({ 'away.test': { mx: [[10, 'mx.receiver.test']] } })
    const owner = await givenMember(givenWhole(service), team.id, 'owner', 'olga@away.test')
    await openBrowser(() => service.url).ask('POST /password-resets', { email: owner.email })
    const emails = async () => (await team.get('/emails')).json.data
    await expect.poll(async () => (await emails())[0]?.status, PATIENT).toBe('delivery_delayed')
    const [{ id }] = await emails()
    await service.restart({ SENDWRIGHT_DELIVERY: 'capture' })
    await expect.poll(logged, PATIENT).toContain('capture mode dropped queued account mail')
    const captured = async () => (await requester(service.url, team.token).get('/captured')).json.data
    expect(await captured()).toEqual([])
    await service.db.query(
      `insert into captured (team_id, id, email_id, mail_from, rcpt_to, message, received_at)
       values ($1, $2, $3, '', 'olga@away.test', 'a reset link', now()), ($1, $4, null, '', 'bob@away.test', 'other', now())`,
      [team.id, newId(), id, newId()],
    )
    await service.db.query("delete from migration where name = '0021-account-mail.sql'")
    await service.restart({ SENDWRIGHT_DELIVERY: 'capture' })
    expect((await captured()).map((one: { envelope_to: string }) => one.envelope_to)).toEqual([
      'bob@away.test',
    ])
  })
})

describe('a link of account mail, in direct mode', () => {
  test('arrives by mail, and is in no response, event, webhook or log for any reader', async () => {
    const watched = await startWatched('direct')
    const { service, team, receiver, logged } = watched
    await requestLinks(watched)
    await expect.poll(() => service.mx.messages.length, PATIENT).toBe(3)
    const links = service.mx.messages.flatMap(({ raw }) => readTexts(raw).text?.match(LINK) ?? [])
    expect(new Set(links).size).toBe(3)
    const { data } = (await team.get('/emails')).json
    expect(data).toHaveLength(3)
    for (const { id } of data) {
      await team.settled(id)
      expect((await team.get(`/emails/${id}`)).json).toMatchObject({ html: null, content_expired: true })
      expect((await team.get(`/emails/${id}/raw`)).status).toBe(404)
      expect((await team.post(`/emails/${id}/resend`)).status).toBe(409)
    }
    await expectNoSecrets(watched, links)
    await expect.poll(() => receiver.received.length, PATIENT).toBeGreaterThan(3)
    for (const { text } of receiver.received) expectWithout(text, links, 'a webhook')
    expectWithout(logged(), links, 'the log')
  })

  test('is in no log when no verified domain can send it: the invitation shows it, and a reset logs a warning', async () => {
    const watched = await startWatched('direct', {})
    const { team, logged } = watched
    const { answers } = await requestLinks(watched)
    for (const answer of answers)
      expect(answer).toMatchObject({ emailed: false, printed: false, link: expect.stringMatching(LINK) })
    await expect.poll(logged, PATIENT).toContain('a password reset could not be sent')
    expect(logged()).not.toContain('#token=')
    expect((await team.get('/emails')).json.data).toEqual([])
  })
})

/** Returns all rows of all tables as text. */
async function everyRow({ db }: TestSendwright): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) => db.query<{ row: string }>(`select t::text as row from "${name}" t`)),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}
