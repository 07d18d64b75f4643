import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../journeys/support/children.ts'
import {
  createInstallation,
  type Installation,
  postJson,
  type Sender,
  START_LIMIT_MS,
  STARTED,
} from '../../journeys/support/installation.ts'
import { FAR } from './network.ts'

/**
 * Makes the other machine vanish silently (it drops every packet) while the product's connections to it are idle,
 * reused, waiting for a reply, and full of unread bytes. Prints how many seconds it took to detect each. Argument:
 * the name of the other machine's network.
 */
const [far = ''] = process.argv.slice(2)
/** A slow server keeps its connection for longer than a vanished one. */
const PATIENCE_MS = 35_000
const NOTICE_LIMIT_MS = 120_000

const ip = (...words: string[]) => execFileSync('/usr/sbin/ip', words, { encoding: 'utf8' })
const inFar = (...words: string[]) => ip('netns', 'exec', far, ...words)

function vanish(): void {
  inFar('/usr/sbin/nft', 'add table inet away')
  for (const hook of ['input', 'output']) {
    inFar(
      '/usr/sbin/nft',
      `add chain inet away ${hook} { type filter hook ${hook} priority 0; policy drop; }`,
    )
  }
}

function comeBack(): void {
  inFar('/usr/sbin/nft', 'delete table inet away')
}

/** Returns the local ports of the connections to the other machine. */
function establishedPorts(): string[] {
  const text = execFileSync('/usr/bin/ss', ['-Htn', 'state', 'established', 'dst', FAR.v4], {
    encoding: 'utf8',
  })
  return [...text.matchAll(/:(\d+)\s+\S+:25\s/g)].map(([, port]) => port as string)
}

/** Returns the number of seconds until the last of these connections is gone. */
async function secondsUntilGone(ports: readonly string[]): Promise<number> {
  if (ports.length === 0) throw new Error('there is no connection')
  const sinceMs = performance.now()
  await until('the vanished server is secondsUntilGone', NOTICE_LIMIT_MS, () => {
    const left = new Set(establishedPorts())
    return ports.some((port) => left.has(port)) ? null : true
  })
  return Math.round((performance.now() - sinceMs) / 100) / 10
}

async function send({ url }: Installation, sender: Sender, to: string, more: object = {}): Promise<string> {
  const email = { from: sender.from, to, subject: 'Hello', text: 'Hello', ...more }
  const { json, text } = await postJson(url, '/emails', sender.token, email)
  if (json.id === undefined) throw new Error(text)
  return json.id
}

async function untilDelivered({ url }: Installation, sender: Sender, id: string): Promise<void> {
  await until(`email ${id} is delivered`, NOTICE_LIMIT_MS, async () => {
    const reply = await fetch(`${url}/emails/${id}`, { headers: { authorization: `Bearer ${sender.token}` } })
    return ((await reply.json()) as { status: string }).status === 'delivered' ? true : null
  })
}

async function run(installation: Installation) {
  const environment = { SENDWRIGHT_MX_PORT: '25', SENDWRIGHT_RETRY_SCHEDULE: '1s' }
  const server = installation.serve({ environment })
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const sender = await installation.createSender('sender.test')
  installation.dns.set({ 'to.test': { mx: [[10, 'mx.to.test']] }, 'mx.to.test': { a: [FAR.v4] } })
  const deliver = async (to: string) =>
    untilDelivered(installation, sender, await send(installation, sender, to))

  await deliver('idle@to.test')
  vanish()
  const idle = await secondsUntilGone(establishedPorts())
  comeBack()

  await deliver('first@to.test')
  vanish()
  const ports = establishedPorts()
  const id = await send(installation, sender, 'again@to.test')
  const usedAgain = await secondsUntilGone(ports)
  comeBack()
  await untilDelivered(installation, sender, id)

  const before = new Set(establishedPorts())
  await send(installation, sender, 'hold@to.test')
  const content = Buffer.alloc(15_000_000, 'large ').toString('base64')
  await send(installation, sender, 'slow@to.test', { attachments: [{ filename: 'large.bin', content }] })
  const slow = await until('two conversations hang', 60_000, () => {
    const now = establishedPorts()
    return now.length >= 2 || now.some((port) => !before.has(port)) ? now : null
  })
  await pause(PATIENCE_MS)
  const kept = establishedPorts().filter((port) => slow.includes(port)).length
  const hanging = establishedPorts()
  vanish()
  const underWay = await secondsUntilGone(hanging)
  comeBack()
  return { idle, usedAgain, underWay, hanging: hanging.length, kept }
}

const installation = await createInstallation()
try {
  console.log(JSON.stringify(await run(installation)))
} finally {
  await installation.remove()
}
process.exit()
