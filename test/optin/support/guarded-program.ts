import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { until } from '../../journeys/support/children.ts'
import {
  createInstallation,
  type Installation,
  postJson,
  type Sender,
  START_LIMIT_MS,
  STARTED,
} from '../../journeys/support/installation.ts'

/**
 * Runs the product with its default guard in a separate network, and sends mail and fetches files at all given
 * addresses. A kernel counter sees each SYN to port 25 or 80, leaving this machine or local. Arguments: allowed
 * addresses, forbidden addresses, URL hosts, each a JSON list.
 */
const [open = [], forbidden = [], urlHosts = []] = process.argv
  .slice(2)
  .map((text) => JSON.parse(text) as string[])

const isV6 = (address: string) => address.includes(':')
const recordOf = (...addresses: string[]) => ({
  a: addresses.filter((address) => !isV6(address)),
  aaaa: addresses.filter(isV6),
})

function nft(...words: string[]): string {
  return execFileSync('/usr/sbin/nft', words, { encoding: 'utf8' })
}

function startCounters(): void {
  const syn = 'tcp dport { 25, 80 } tcp flags & (syn | ack) == syn'
  nft('add table inet guard')
  for (const name of ['open', 'forbidden']) nft(`add counter inet guard ${name}`)
  nft('add chain inet guard out { type filter hook output priority 0; }')
  for (const address of open) {
    const family = isV6(address) ? 'ip6' : 'ip'
    nft(`add rule inet guard out ${family} daddr ${address} ${syn} counter name "open" accept`)
  }
  nft(`add rule inet guard out ${syn} counter name "forbidden"`)
}

function readCounter(name: string): number {
  return Number(/packets (\d+)/.exec(nft(`list counter inet guard ${name}`))?.[1])
}

/** Connects without a guard, which the counter must see. */
async function knock(address: string): Promise<void> {
  const socket = connect({ host: address, port: 25, timeout: 300 })
  await new Promise<void>((resolve) => {
    for (const event of ['connect', 'error', 'timeout']) socket.once(event, () => resolve())
  })
  socket.destroy()
}

async function send({ url }: Installation, sender: Sender, fields: Record<string, unknown>) {
  const email = { from: sender.from, subject: 'Hello', text: 'Hello', ...fields }
  return postJson(url, '/emails', sender.token, email)
}

/** Sends mail to a domain with this MX host, and returns the final status. */
async function mailTo(installation: Installation, sender: Sender, name: string, mx: string): Promise<string> {
  installation.dns.set({ [name]: { mx: [[10, mx]] } })
  const { json, text } = await send(installation, sender, { to: `bob@${name}` })
  if (json.id === undefined) throw new Error(text)
  return until(`mail to ${name}`, 60_000, async () => {
    const reply = await fetch(`${installation.url}/emails/${json.id}`, {
      headers: { authorization: `Bearer ${sender.token}` },
    })
    const [recipient] = (
      (await reply.json()) as { recipients: { status: string; category: string | null }[] }
    ).recipients
    if (recipient === undefined || ['queued', 'scheduled'].includes(recipient.status)) return null
    return `${recipient.status} ${recipient.category ?? ''}`.trim()
  })
}

async function run(installation: Installation) {
  const environment = {
    SENDWRIGHT_ALLOW_PRIVATE_NETWORKS: 'false',
    SENDWRIGHT_MX_PORT: '25',
    SENDWRIGHT_RETRY_SCHEDULE: '1h',
  }
  const server = installation.serve({ environment })
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const sender = await installation.createSender('sender.test')
  startCounters()
  for (const address of ['127.0.0.1', '10.1.2.3', 'fd00::1']) await knock(address)
  const control = readCounter('forbidden')
  nft('reset counters table inet guard')

  const mail: Record<string, string> = {}
  for (const [index, address] of forbidden.entries()) {
    installation.dns.set({ [`mx${index}.test`]: recordOf(address) })
    mail[address] = await mailTo(installation, sender, `to${index}.test`, `mx${index}.test`)
  }
  for (const host of urlHosts)
    mail[`MX ${host}`] = await mailTo(installation, sender, `u${Object.keys(mail).length}.test`, host)
  // Only one of several addresses is allowed: mail goes there and nowhere else.
  const mixed: string[] = []
  for (let index = 0; index < 10; index++) {
    installation.dns.set({ [`mixed-mx${index}.test`]: recordOf(...open, '10.1.2.3', '127.0.0.1', 'fd00::1') })
    mixed.push(await mailTo(installation, sender, `mixed${index}.test`, `mixed-mx${index}.test`))
  }
  // The DNS answer changes all the time, even between check and connect.
  const flipping: string[] = []
  for (let index = 0; index < 10; index++) {
    const host = `flip-mx${index}.test`
    let turn = 0
    const timer = setInterval(() => {
      installation.dns.set({
        [host]: { ...recordOf(turn++ % 2 === 0 ? '10.1.2.3' : (open[0] as string)), ttlSeconds: 0 },
      })
    }, 1)
    flipping.push(await mailTo(installation, sender, `flip${index}.test`, host))
    clearInterval(timer)
  }

  const files: Record<string, string> = {}
  const hosts = [...forbidden.map((address) => (isV6(address) ? `[${address}]` : address)), ...urlHosts]
  for (const host of hosts) {
    const attachments = [{ path: `http://${host}/secret`, filename: 'a.txt' }]
    const { status, json } = await send(installation, sender, { to: 'a@mixed0.test', attachments })
    files[host] = `${status} ${json.message ?? ''}`
  }
  const attachments = [{ path: `http://${open[0]}/open`, filename: 'a.txt' }]
  const fetched = await send(installation, sender, { to: 'a@mixed0.test', attachments })
  return {
    control,
    mail,
    mixed,
    flipping: [...new Set(flipping)],
    files,
    fetched: fetched.status,
    counts: { open: readCounter('open'), forbidden: readCounter('forbidden') },
  }
}

const installation = await createInstallation()
try {
  console.log(JSON.stringify(await run(installation)))
} finally {
  await installation.remove()
}
process.exit()
