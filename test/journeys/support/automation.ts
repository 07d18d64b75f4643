import { expect } from 'vitest'
import { chainOf } from '../../support/automations.ts'
import { made, requester } from '../../support/client.ts'
import { upload } from '../../support/csv.ts'
import type { Installation } from './installation.ts'

/** Creates an automation of five steps, and imports so many contacts, each of which begins it. Returns its id. */
export async function givenAutomation(installation: Installation, contactCount: number): Promise<string> {
  const { token } = await installation.createSender('one.sender.test')
  const request = requester(installation.url, token)
  const domains = await request.get('/domains')
  const senderId = await made(request, '/senders', {
    name: 'Shop',
    username: 'news',
    domain_id: domains.json.data[0].id,
  })
  const listId = await made(request, '/lists', { name: 'Welcomed' })
  const emailOf = async (subject: string) => {
    const template = {
      name: subject,
      sender_id: senderId,
      subject,
      text_content: 'Once.',
      status: 'published',
    }
    return { template: { id: await made(request, '/templates', template) } }
  }
  const graph = chainOf(
    ['start', 'trigger', { type: 'contact_created' }],
    ['begin', 'condition', { type: 'rule', field: 'contact.email', operator: 'exists' }],
    ['first', 'send_email', await emailOf('First')],
    ['join', 'add_to_list', { list_id: listId }],
    ['wait', 'delay', { duration: '1 second' }],
    ['second', 'send_email', await emailOf('Second')],
  )
  const id = await made(request, '/automations', { name: 'Welcome', status: 'active', ...graph })
  const rows = Array.from(
    { length: contactCount },
    (_, no) => `person${no}@${installation.destinations[no % installation.destinations.length]}`,
  )
  const path = '/contacts/import?run_automations=true'
  const { status, text } = await upload(installation.url, request, path, ['email', ...rows].join('\n'))
  expect(status, text).toBe(202)
  return id
}
