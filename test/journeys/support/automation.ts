import { expect } from 'vitest'
import { chainOf } from '../../support/automations.ts'
import { requester } from '../../support/client.ts'
import type { Installation } from './installation.ts'

/** Creates an automation of five steps, and imports so many contacts, each of which begins it. Returns its id. */
export async function givenAutomation(installation: Installation, contactCount: number): Promise<string> {
  const { token } = await installation.createSender('one.sender.test')
  const request = requester(installation.url, token)
  const made = async (path: string, body: object) => {
    const reply = await request.post(path, body)
    expect(reply.status, reply.text).toBe(201)
    return reply.json.id as string
  }
  const domains = await request.get('/domains')
  const senderId = await made('/senders', {
    name: 'Shop',
    username: 'news',
    domain_id: domains.json.data[0].id,
  })
  const listId = await made('/lists', { name: 'Welcomed' })
  const emailOf = async (subject: string) => {
    const template = {
      name: subject,
      sender_id: senderId,
      subject,
      text_content: 'Once.',
      status: 'published',
    }
    return { template: { id: await made('/templates', template) } }
  }
  const graph = chainOf(
    ['start', 'trigger', { type: 'contact_created' }],
    ['begin', 'condition', { type: 'rule', field: 'contact.email', operator: 'exists' }],
    ['first', 'send_email', await emailOf('First')],
    ['join', 'add_to_list', { list_id: listId }],
    ['wait', 'delay', { duration: '1 second' }],
    ['second', 'send_email', await emailOf('Second')],
  )
  const id = await made('/automations', { name: 'Welcome', status: 'active', ...graph })
  const rows = Array.from(
    { length: contactCount },
    (_, no) => `person${no}@${installation.destinations[no % installation.destinations.length]}`,
  )
  const reply = await fetch(`${installation.url}/contacts/import?run_automations=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: ['email', ...rows].join('\n'),
  })
  expect(reply.status).toBeLessThan(300)
  return id
}
