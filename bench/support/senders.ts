import type { TestDns } from '../../test/support/dns.ts'
import { type BenchRequest, createCaller } from './caller.ts'
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
  const call = createCaller(port, key)
  const request: BenchRequest = { method: 'POST', path: '/domains', body: { name: domain } }
  const made = await call<{ id: string; records: DnsRecord[] }>(request)
  for (const { type, name, value } of made.records) {
    dns.set({ [name]: type === 'CNAME' ? { cname: value } : { txt: [value] } })
  }
  const path = `/domains/${made.id}/verify`
  const verified = await call<{ status: string }>({ method: 'POST', path, body: {} })
  if (verified.status !== 'verified')
    throw new Error(`${domain} is not verified: ${JSON.stringify(verified)}`)
  return { key, from: `Bench Shop <orders@${domain}>`, domainId: made.id }
}

/** Creates the benchmark's template (template.ts) with the sender's address. Returns its id. */
export async function createTemplate(port: number, { key, domainId }: Sender): Promise<string> {
  const call = createCaller(port, key)
  const create = async (path: string, body: unknown) =>
    (await call<{ id: string }>({ method: 'POST', path, body })).id
  const sender_id = await create('/senders', { name: 'Bench Shop', username: 'orders', domain_id: domainId })
  const { subject, html, text } = makeTemplate()
  return create('/templates', { name: 'Order', sender_id, subject, html_content: html, text_content: text })
}
