import { once } from 'node:events'
import { globSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { verifyWebhook } from '../../packages/sdk/src/index.ts'
import type { Child } from '../support/command.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { useCommandLine } from './support/command-line.ts'

const line = useCommandLine()
const DELIVERED_WITHIN_MS = 200

interface Listening {
  secret: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read output freely; a wrong access fails the test
  printed: any[]
  notes: string[]
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts `listen` and waits until it says its secret, after which it misses no event. */
async function listen(forwardTo: string, ...args: string[]): Promise<Listening> {
  const child = line.start(['listen', '--forward-to', forwardTo, '--type', 'contact.created', ...args])
  onTestFinished(() => void child.kill('SIGKILL'))
  const listening: Listening = { secret: '', printed: [], notes: [], end: (signal) => end(child, signal) }
  createInterface(child.stdout).on('line', (text) => listening.printed.push(JSON.parse(text)))
  createInterface(child.stderr).on('line', (text) => {
    listening.notes.push(text)
    const [, secret] = /^Signing secret: (\S+)$/.exec(text) ?? []
    if (secret !== undefined) listening.secret = secret
  })
  await expect.poll(() => listening.secret || listening.notes.join('\n')).toMatch(/^whsec_/)
  return listening
}

async function end(child: Child, signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
  if (child.exitCode === null) {
    child.kill(signal)
    await once(child, 'exit')
  }
  return child.exitCode
}

let count = 0
/** Creates a contact, whose event is forwarded. Returns its address. */
async function createContact(): Promise<string> {
  const email = `person${++count}@people.test`
  expect((await line.sender.post('/contacts', { email })).status).toBe(201)
  return email
}

const addressesAt = (receiver: WebhookReceiver) => receiver.at('/hooks').map(({ json }) => json.data.email)

async function startReceiver(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver()
  const { close } = receiver
  let closing: Promise<void> | null = null
  receiver.close = () => {
    closing ??= close()
    return closing
  }
  onTestFinished(() => receiver.close())
  return receiver
}

/** Starts a local server at a port that an earlier one had. */
async function startAt(port: number, received: string[], status = 200): Promise<void> {
  const server = createServer(async (request, response) => {
    const { data } = (await json(request)) as { data: { email: string } }
    received.push(data.email)
    response.writeHead(status).end()
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

test('forwards an event within 200 ms of its commit, signed as a webhook, with a line for its answer', async () => {
  const receiver = await startReceiver()
  receiver.answer('/hooks', (response) => response.writeHead(204).end())
  const listening = await listen(`${receiver.url}/hooks`)
  await createContact()
  await expect.poll(() => listening.printed.length).toBe(1)
  const delays: number[] = []
  for (let round = 0; round < 5; round++) {
    const receivedCount = receiver.received.length
    await createContact()
    // The response comes after the commit, so the delay since the commit is longer by what the response took.
    const committedMs = Date.now()
    await expect.poll(() => receiver.received.length, { interval: 5 }).toBe(receivedCount + 1)
    delays.push((receiver.received.at(-1)?.atMs ?? 0) - committedMs)
  }
  // The median, because other tests use the processors too.
  expect(delays.sort((a, b) => a - b)[2]).toBeLessThan(DELIVERED_WITHIN_MS)

  const [request] = receiver.at('/hooks')
  const headers = request?.headers as Record<string, string>
  const payload = request?.text ?? ''
  expect(new Webhook(listening.secret).verify(payload, headers)).toEqual(request?.json)
  const verified = await verifyWebhook({ payload, headers, secret: listening.secret })
  expect(verified.data).toMatchObject({ type: 'contact.created', data: { email: 'person1@people.test' } })
  expect(listening.printed[0]).toMatchObject({
    object: 'forwarded_event',
    event_id: headers['webhook-id'],
    type: 'contact.created',
    status: 204,
    attempts: 1,
  })
  expect(await listening.end()).toBe(0)
})

test('loses nothing when it, the local server or Sendwright restarts, and keeps the order', async () => {
  const first = await startReceiver()
  const target = `${first.url}/hooks`
  // Ended before its first event: the position is that of its start.
  expect(await (await listen(target)).end('SIGKILL')).toBeNull()
  const sent = [await createContact(), await createContact()]

  const listening = await listen(target)
  await expect.poll(() => addressesAt(first)).toEqual(sent)
  await line.service.restart({ PORT: new URL(line.service.url).port })
  sent.push(await createContact())
  await expect.poll(() => addressesAt(first)).toEqual(sent)

  await first.close()
  const missed = [await createContact(), await createContact()]
  await expect.poll(() => listening.notes.join('\n')).toContain('No server at')
  expect(await listening.end()).toBe(0)
  missed.push(await createContact())
  const received: string[] = []
  await startAt(first.port, received)
  const again = await listen(target)
  await expect.poll(() => received).toEqual(missed)
  expect(again.secret).toBe(listening.secret)
  expect(await again.end()).toBe(0)
})

test('retries while the local server is away, and takes any answer of it as final', async () => {
  const receiver = await startReceiver()
  await receiver.close()
  const listening = await listen(`${receiver.url}/hooks`, '--new')
  const sent = [await createContact(), await createContact()]
  await expect.poll(() => listening.notes.join('\n')).toContain('Retrying until there is one')
  const received: string[] = []
  await startAt(receiver.port, received, 500)
  await expect.poll(() => listening.printed.map(({ status }) => status)).toEqual([500, 500])
  expect(received).toEqual(sent)
  expect(listening.printed[0].attempts).toBeGreaterThan(1)
  expect(await listening.end()).toBe(0)
})

test('1 with advice when the position of the last run is not valid', async () => {
  const state = join(line.home, '.local', 'state', 'sendwright', 'listen')
  rmSync(state, { recursive: true, force: true })
  const receiver = await startReceiver()
  const args = ['listen', '--forward-to', `${receiver.url}/hooks`]
  const listening = await listen(`${receiver.url}/hooks`)
  expect(await listening.end()).toBe(0)
  const [file] = globSync('*.cursor', { cwd: state })
  writeFileSync(join(state, file ?? ''), 'no-cursor\n')
  const rejected = await line.run(args)
  expect(rejected).toMatchObject({ code: 1, stdout: '' })
  expect(rejected.stderr).toContain('Run the command with --new')
})
