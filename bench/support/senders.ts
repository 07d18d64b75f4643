import type { TestDns } from '../../test/support/dns.ts'
import { makeTemplate } from './template.ts'

/** A team with a key and a verified domain. */
export interface Sender {
  key: string
  from: string
  domainId: string
}

interface DnsRecord {
  type: string
  name: string
  value: string
}

interface Installation {
  port: number
  dns: TestDns
  /** Runs a command of the product and returns what it prints as JSON. */
  command(...args: string[]): Promise<Record<string, unknown>>
}

/** Creates a team that may send from this domain. */
export async function createSender({ port, dns, command }: Installation, domain: string): Promise<Sender> {
  const team = await command('team', 'create', domain, '--plan', 'unlimited')
  const { token } = await command('key', 'create', '--team', `${team.id}`, '--name', 'bench')
  const key = `${token}`
  const made = (await post(port, '/domains', key, { name: domain })) as { id: string; records: DnsRecord[] }
  for (const { type, name, value } of made.records) {
    dns.set({ [name]: type === 'CNAME' ? { cname: value } : { txt: [value] } })
  }
  const verified = (await post(port, `/domains/${made.id}/verify`, key, {})) as { status: string }
  if (verified.status !== 'verified')
    throw new Error(`${domain} is not verified: ${JSON.stringify(verified)}`)
  return { key, from: `Bench Shop <orders@${domain}>`, domainId: made.id }
}

/** Creates the benchmark's template (template.ts) with the sender's address. Returns its id. */
export async function createTemplate(port: number, { key, domainId }: Sender): Promise<string> {
  const sender = { name: 'Bench Shop', username: 'orders', domain_id: domainId }
  const { id: senderId } = (await post(port, '/senders', key, sender)) as { id: string }
  const { subject, html, text } = makeTemplate()
  const content = { name: 'Order', sender_id: senderId, subject, html_content: html, text_content: text }
  const { id } = (await post(port, '/templates', key, content)) as { id: string }
  return id
}

async function post(port: number, path: string, key: string, body: unknown): Promise<unknown> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`POST ${path}: ${reply.status} ${text}`)
  return JSON.parse(text)
}
