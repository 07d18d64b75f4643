import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenHere } from '../../support/listen-here.ts'
import type { Dashboard } from './dashboard.ts'

/** The sample data for pages about sending. */
export interface SendingSample {
  /** A domain whose records are not yet published. */
  pendingDomainId: string
  webhookId: string
  /** A successful delivery, and a failed one. */
  deliveryIds: readonly string[]
}

/** Creates domains, senders, keys, and an endpoint that first succeeds and then fails. */
export async function fillSending({ sender }: Dashboard): Promise<SendingSample> {
  const { json: pending } = await sender.post('/domains', {
    name: `mail.harbour-${sender.id.slice(-6)}.example`,
  })
  for (const [username, name] of [
    ['hello', 'Harbour Coffee'],
    ['receipts', 'Harbour Receipts'],
  ])
    await sender.post('/senders', { name, username, domain_id: sender.domainId })
  await sender.post('/api-keys', { name: 'Shop backend', permission: 'send', domain_id: sender.domainId })
  await sender.post('/api-keys', { name: 'Nightly reports', permission: 'send', expires_at: soon() })
  const { json: revoked } = await sender.post('/api-keys', { name: 'Old worker' })
  await sender.delete(`/api-keys/${revoked.id}`)
  return { pendingDomainId: String(pending.id), ...(await fillWebhook(sender)) }
}

const soon = () => new Date(Date.now() + 5 * 86_400_000).toISOString()

async function fillWebhook(sender: Dashboard['sender']): Promise<Omit<SendingSample, 'pendingDomainId'>> {
  const url = await startEndpoint()
  const { json: webhook } = await sender.post('/webhooks', {
    url,
    description: 'Orders',
    events: ['email.delivered', 'email.bounced', 'email.complained'],
  })
  const deliveryIds: string[] = []
  for (const type of ['email.delivered', 'email.bounced']) {
    const { json } = await sender.post(`/webhooks/${webhook.id}/test`, { type })
    deliveryIds.push(String(json.id))
  }
  return { webhookId: String(webhook.id), deliveryIds }
}

/** Starts an endpoint that returns 200 for deliveries and 500 for everything else, until the process ends. */
async function startEndpoint(): Promise<string> {
  const server = createServer(async (request, response) => {
    const isTaken = (await text(request)).includes('"email.delivered"')
    response.writeHead(isTaken ? 200 : 500).end(isTaken ? '{"ok":true}' : 'Something went wrong in the shop.')
  })
  const { url } = await listenHere(server.unref())
  return `${url}/hooks/email`
}
