import { createHash } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { simpleParser } from 'mailparser'
import { createTransport } from 'nodemailer'
import { type Dispatcher, fetch as fetchBy, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sendwright } from '../../packages/sdk/src/index.ts'
import { requester } from '../support/client.ts'
import { bring, statusDsn } from '../support/inbound.ts'
import { startMx, type TestMx } from '../support/mx.ts'
import type { MxMessage } from '../support/mx-script.ts'
import { givenFirstOwner, PASSWORD } from '../support/people.ts'
import { makeTeam } from '../support/teams.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { ask, JSON_TYPE, withKey } from './support/ask.ts'
import { API_HOST, installHaproxy } from './support/balancer.ts'
import { CELL_NAMES, type Cell, type CellName, type Cells, startCells } from './support/cells.ts'

const otherThan = (name: CellName): CellName => (name === 'a1' ? 'b2' : 'a1')
const absent = await installHaproxy()
if (absent !== null) process.stderr.write(`${absent}\n`)

/** A client that is not the balancer. */
const CLIENT = '127.0.0.66'
const POLL = { timeout: 30_000, interval: 100 }
const BOOTSTRAP_KEYS = {
  a1: 'sw_a1_chosen-by-the-operator-of-the-first-cell',
  b2: 'sw_b2_chosen-by-the-operator-of-the-second-cell',
}

describe.skipIf(absent !== null)('one address for two cells', () => {
  let cells: Cells
  let mx: Record<CellName, TestMx>
  let receiver: WebhookReceiver
  let api: string
  let client: Dispatcher
  let clientH2: Dispatcher
  beforeAll(async () => {
    mx = { a1: await startMx(), b2: await startMx() }
    receiver = await startWebhookReceiver()
    const environmentOf = (name: CellName) => ({
      SENDWRIGHT_MX_PORT: `${mx[name].port}`,
      SENDWRIGHT_BOOTSTRAP_KEY: BOOTSTRAP_KEYS[name],
    })
    cells = await startCells({ a1: environmentOf('a1'), b2: environmentOf('b2') })
    api = `https://${API_HOST}:${cells.balancer.port}`
    client = cells.balancer.clientFrom(CLIENT)
    clientH2 = cells.balancer.clientFrom(CLIENT, { allowH2: true })
  })
  afterAll(async () => {
    await cells?.remove()
    await Promise.all([receiver?.close(), mx?.a1.close(), mx?.b2.close()])
  })

  const sdkOf = ({ sender }: Cell) =>
    new Sendwright({
      apiKey: sender.token,
      baseUrl: api,
      fetch: ((url: string, init: object) => fetchBy(url, { ...init, dispatcher: client })) as never,
    })
  const recipientAt = (name: string, { installation }: Cell) => `${name}@${installation.destinations[0]}`
  const urlOf = ({ host }: Cell, path: string) => `https://${host}:${cells.balancer.port}${path}`

  /** Sends an email through the common address, and returns it as its own cell's recipients received it. */
  async function sendFrom(cell: Cell, name: string, fields: object = {}) {
    const { sender } = cell
    const to = recipientAt(name, cell)
    const email = { from: sender.from, to, subject: name, text: 'Hello', ...fields }
    const { id } = await sdkOf(cell).emails.send(email).orThrow()
    return { id, to, message: await arrivalOf(cell, `Message-ID: <${id}@`) }
  }

  /** Resolves to the message with this text, which arrived from this cell and from no other. */
  async function arrivalOf({ name }: Cell, text: string): Promise<MxMessage> {
    const findAt = (at: CellName) => mx[at].messages.find(({ raw }) => raw.includes(text))
    await expect.poll(() => findAt(name), POLL).toBeDefined()
    expect(findAt(otherThan(name))).toBeUndefined()
    return findAt(name) as MxMessage
  }

  const typesOf = async (cell: Cell, id: string) =>
    (await sdkOf(cell).emails.get(id).orThrow()).events.map(({ type }) => type)

  describe.each(CELL_NAMES)('%s', (name) => {
    let cell: Cell
    beforeAll(() => {
      cell = cells[name]
    })

    test('the SDK sends, reads and pages by the key of the cell', async () => {
      expect(cell.sender.token).toMatch(new RegExp(`^sw_${name}_`))
      const { id } = await sendFrom(cell, 'sdk')
      const sdk = sdkOf(cell)
      await expect.poll(() => typesOf(cell, id), POLL).toContain('email.delivered')
      const page = await sdk.emails.list({ limit: 1 }).orThrow()
      expect(page.data).toMatchObject([{ id }])
    })

    /** Submits through the balancer, or at the cell's own name, which leads to the cell itself. */
    const submitTo = (servername: string, port: number, pass: string, secure = true) =>
      createTransport({
        host: '127.0.0.1',
        localAddress: CLIENT,
        port,
        secure,
        requireTLS: true,
        auth: { user: 'any', pass },
        tls: { servername, ca: cells.authority.cert },
      })

    test('SMTP with TLS goes by a host name of its own, and the cell itself ends TLS', async () => {
      const transport = (pass: string) => submitTo(cell.submissionsHost, cells.balancer.submissionsPort, pass)
      const mail = {
        from: cell.sender.from,
        to: recipientAt('smtp', cell),
        subject: `smtp ${name}`,
        text: 'Hello',
      }
      const { response } = await transport(cell.sender.token).sendMail(mail)
      expect(response).toMatch(/^250 2\.0\.0 accepted as /)
      expect((await arrivalOf(cell, `Subject: ${mail.subject}\r\n`)).to).toEqual([mail.to])
      const other = cells[otherThan(name)].sender.token
      await expect(transport(other).sendMail(mail)).rejects.toMatchObject({ responseCode: 535 })
    })

    test('the name of its return paths leads to the cell itself, for submission too', async () => {
      const { submissions, submission } = cell.ports
      for (const [port, secure] of [
        [submissions, true],
        [submission, false],
      ] as const) {
        const mail = {
          from: cell.sender.from,
          to: recipientAt(`direct-${secure}`, cell),
          subject: `direct ${name} ${secure}`,
          text: 'Hello',
        }
        await submitTo(cell.smtpHost, port, cell.sender.token, secure).sendMail(mail)
        expect((await arrivalOf(cell, `Subject: ${mail.subject}\r\n`)).to).toEqual([mail.to])
      }
      const throughBalancer = submitTo(cell.smtpHost, cells.balancer.submissionsPort, cell.sender.token)
      await expect(throughBalancer.verify()).rejects.toThrow()
    })

    test('webhooks come from the cell, signed with the secret that it returned', async () => {
      const sdk = sdkOf(cell)
      const path = `/hook-of-${name}`
      const { signing_secret: secret } = await sdk.webhooks
        .create({ endpoint: receiver.url + path, events: ['email.delivered'] })
        .orThrow()
      const { id } = await sendFrom(cell, 'webhook')
      await expect.poll(() => receiver.at(path).length, POLL).toBe(1)
      const [received] = receiver.at(path)
      const headers = received?.headers as Record<string, string>
      const payload = received?.text ?? ''
      const event = await sdk.webhooks.verify({ payload, headers, secret: secret ?? '' }).orThrow()
      expect(event).toMatchObject({ type: 'email.delivered', data: { email_id: id } })
    })

    test('a bounce goes to the return path of the cell, and to no other', async () => {
      const { id, to, message } = await sendFrom(cell, 'bounce')
      await expect.poll(() => typesOf(cell, id), POLL).toContain('email.delivered')
      const resolver = new Resolver()
      resolver.setServers([cell.installation.dns.server])
      expect(await resolver.resolveCname(message.from.split('@')[1] ?? '')).toEqual([cell.smtpHost])
      const dsn = {
        to: message.from,
        message: statusDsn({ recipient: to, action: 'failed', status: '5.1.1' }),
        localAddress: CLIENT,
      }
      const other = cells[otherThan(name)]
      expect(await bring(other.ports.inbound, dsn)).toMatch(/^550 /)
      expect(await bring(cell.ports.inbound, dsn)).toMatch(/^250 /)
      expect(await typesOf(cell, id)).toContain('email.bounced')
    })

    test('links lead to the host name of the cell; the address that a client claims is not recorded', async () => {
      const token = cell.sender.token
      const domains = await ask(client, `${api}/domains`, { headers: withKey(token) })
      const [{ id: domainId }] = domains.json.data
      const tracking = JSON.stringify({ click_tracking: true })
      const headers = [...withKey(token), ...JSON_TYPE]
      const changed = await ask(client, `${api}/domains/${domainId}`, {
        method: 'PATCH',
        headers,
        body: tracking,
      })
      expect(changed.status).toBe(200)
      const { id, to, message } = await sendFrom(cell, 'links', {
        html: '<p><a href="https://shop.test/">shop</a></p>',
        unsubscribe: { topic: 'News' },
      })
      await expect.poll(() => typesOf(cell, id), POLL).toContain('email.delivered')

      const mail = await simpleParser(message.raw)
      const click = new URL(/href="([^"]+)"/.exec(String(mail.html))?.[1] ?? '')
      expect(click.host).toBe(cell.host)
      const forged = [
        'x-forwarded-for',
        '198.51.100.9',
        'forwarded',
        'for=198.51.100.9',
        'x-real-ip',
        '198.51.100.9',
      ]
      const visited = await ask(client, urlOf(cell, click.pathname), { headers: forged })
      expect([visited.status, visited.headers.location]).toEqual([302, 'https://shop.test/'])
      await expect.poll(() => typesOf(cell, id), POLL).toContain('email.clicked')
      const { events } = await sdkOf(cell).emails.get(id).orThrow()
      expect(events.find(({ type }) => type === 'email.clicked')?.data).toMatchObject({ ip_address: CLIENT })

      const list = mail.headers.get('list') as unknown as { unsubscribe: { url: string } }
      const unsubscribe = new URL(list.unsubscribe.url)
      expect(unsubscribe.host).toBe(cell.host)
      const form = ['content-type', 'application/x-www-form-urlencoded']
      const oneClick = { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' } as const
      expect((await ask(client, urlOf(cell, unsubscribe.pathname), oneClick)).status).toBe(200)
      const entries = await ask(client, `${api}/unsubscriptions?email=${to}`, { headers: withKey(token) })
      expect(entries.json.data).toMatchObject([{ email: to }])
    })

    test('the dashboard and its sessions belong to the host name of the cell', async () => {
      const db = cell.openDb()
      const { email } = await givenFirstOwner({ url: cell.url, db }, `owner@${name}.test`).finally(() =>
        db.close(),
      )
      const own = ['sec-fetch-site', 'same-origin', ...JSON_TYPE]
      const body = JSON.stringify({ email, password: PASSWORD })
      const logIn = (at: Cell) => ask(client, urlOf(at, '/session'), { method: 'POST', headers: own, body })
      expect((await logIn(cells[otherThan(name)])).status).toBe(401)
      const session = await logIn(cell)
      expect(session.status).toBe(201)
      const cookie = session.headers['set-cookie']?.split(';')[0] ?? ''
      const page = await ask(client, urlOf(cell, '/app'))
      expect(page.text).toContain('<title>Sendwright</title>')
      const again = await ask(clientH2, urlOf(cell, '/session'), { headers: ['cookie', cookie] })
      expect(again.json.user).toMatchObject({ email })
    })

    test('a body of 30 MB, over HTTP/1.1 and HTTP/2', async () => {
      const content = Buffer.alloc(22_500_000, 'Sendwright ')
      const hash = createHash('sha256').update(content).digest('hex')
      const body = JSON.stringify({
        from: cell.sender.from,
        to: recipientAt('large', cell),
        subject: 'large',
        text: 'Hello',
        attachments: [{ filename: 'large.bin', content: content.toString('base64') }],
      })
      expect(body.length).toBeGreaterThan(30_000_000)
      for (const dispatcher of [client, clientH2]) {
        const headers = [...withKey(cell.sender.token), ...JSON_TYPE]
        const sent = await ask(dispatcher, `${api}/emails`, { method: 'POST', headers, body })
        expect(sent.status, sent.text).toBe(202)
        const { raw } = await arrivalOf(cell, `Message-ID: <${sent.json.id}@`)
        const [attachment] = (await simpleParser(raw)).attachments
        expect(
          createHash('sha256')
            .update(attachment?.content ?? '')
            .digest('hex'),
        ).toBe(hash)
      }
    })

    test('a long poll waits its whole time, or until there is an event', async () => {
      const db = cell.openDb()
      const asked = (token: string) => requester(cell.url, token)
      const team = await makeTeam(db, asked, {}, new Date(), name).finally(() => db.close())
      const headers = withKey(team.token)
      const { next_cursor: after } = (await ask(client, `${api}/events`, { headers })).json
      const wait = () => ask(client, `${api}/events?wait=30&after=${after}`, { headers })
      const sinceMs = performance.now()
      expect((await wait()).json).toMatchObject({ data: [], has_more: false })
      expect(performance.now() - sinceMs).toBeGreaterThan(29_000)
      const waiting = wait()
      const body = JSON.stringify({ name: `polled.${name}.test` })
      await ask(client, `${api}/domains`, { method: 'POST', headers: [...headers, ...JSON_TYPE], body })
      expect((await waiting).json.data).toMatchObject([{ type: 'domain.created' }])
    })

    test('an event stream passes event by event', async () => {
      const headers = [...withKey(cell.sender.token), 'accept', 'text/event-stream']
      const stream = await request(`${api}/events?from=end`, { dispatcher: client, headers })
      expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
      const { id } = await sendFrom(cell, 'stream')
      let text = ''
      for await (const chunk of stream.body) {
        text += String(chunk)
        if (text.includes(id)) break
      }
      expect(text).toMatch(/^event: email\./m)
    })

    test('a key that the operator chose with the name of the cell', async () => {
      for (const dispatcher of [client, clientH2])
        for (let count = 0; count < 4; count++) {
          const reply = await ask(dispatcher, `${api}/domains`, { headers: withKey(BOOTSTRAP_KEYS[name]) })
          expect(reply.status).toBe(200)
        }
    })
  })

  test('a cell that runs and is not ready gets no requests; when it is ready again, it does', async () => {
    const { a1, b2, balancer } = cells
    const statusOf = async (headers: string[]) => (await ask(client, `${api}/domains`, { headers })).status
    const readiness = async () => (await ask(client, `${a1.url}/readyz`)).status
    const loggedSince = (from: number) => balancer.log().slice(from)
    const beforeLength = balancer.log().length
    const release = Promise.withResolvers<void>()
    const db = a1.openDb()
    // The age of the oldest delivery cannot be read, and everything else works.
    const holding = db.transaction(async (tx) => {
      await tx.query('lock table site_reporter in access exclusive mode')
      await release.promise
    })
    let awayLength = 0
    try {
      await expect.poll(() => loggedSince(beforeLength), POLL).toContain('Server a1_http/a1 is DOWN')
      expect(loggedSince(beforeLength)).toMatch(/a1_http\/a1 is DOWN, reason: Layer7 wrong status, code: 503/)
      awayLength = balancer.log().length
      const direct = await ask(client, `${a1.url}/domains`, { headers: withKey(a1.sender.token) })
      expect([direct.status, await readiness()]).toEqual([200, 503])
      for (let count = 0; count < 4; count++) {
        expect(await statusOf(withKey(a1.sender.token))).toBe(503)
        expect(await statusOf(withKey(b2.sender.token))).toBe(200)
        expect(await statusOf([])).toBe(401)
      }
      await expect.poll(() => loggedSince(awayLength).match(/ any_http\/b2 /g)?.length, POLL).toBe(4)
      expect(loggedSince(awayLength)).not.toMatch(/ (?:a1|any)_http\/a1 /)
    } finally {
      release.resolve()
      await holding.finally(() => db.close())
    }
    await expect.poll(() => loggedSince(awayLength), POLL).toContain('Server a1_http/a1 is UP')
    expect(await statusOf(withKey(a1.sender.token))).toBe(200)
  })

  test('a key from before the cells belongs to the cell that had no name then', async () => {
    const db = cells.a1.openDb()
    const team = await makeTeam(db, (token) => requester(cells.a1.url, token)).finally(() => db.close())
    expect(team.token).toMatch(/^sw_[0-9A-Za-z]{40}$/)
    for (const dispatcher of [client, clientH2])
      for (let count = 0; count < 4; count++)
        expect((await ask(dispatcher, `${api}/domains`, { headers: withKey(team.token) })).status).toBe(200)
  })
})
