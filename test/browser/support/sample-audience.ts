import { upload } from '../../support/csv.ts'
import type { Dashboard } from './dashboard.ts'

/** The sample data for pages about contacts and campaigns. */
export interface AudienceSample {
  /** A contact with names, values, lists, emails and a suppression. */
  contactId: string
  listId: string
  segmentId: string
  /** An import that skipped rows. */
  importId: string
  campaignId: string
  scheduledCampaignId: string
  automationId: string
  templateId: string
}

const PEOPLE = [
  ['ann', 'Ann', 'Lindqvist', 'pro', 12],
  ['bruno', 'Bruno', 'Costa', 'free', 1],
  ['chloe', 'Chloé', 'Martin', 'pro', 4],
  ['dai', 'Dai', 'Tanaka', 'team', 31],
  ['eve', 'Eve', '', 'free', 1],
  ['farid', 'Farid', 'Haddad', 'pro', 8],
  ['greta.von.der.langen-muehlen', 'Greta Friederike', 'von der Langen-Mühlen', 'team', 120],
  ['hugo', '', '', 'free', 2],
] as const

/** Creates properties, lists, contacts, segments, an import, campaigns and automations. */
export async function fillAudience(dashboard: Dashboard): Promise<AudienceSample> {
  const { sender } = dashboard
  const plan = await create(sender, '/properties', { key: 'plan', type: 'string', fallback_value: 'free' })
  await create(sender, '/properties', { key: 'seats', type: 'number' })
  await create(sender, '/properties', { key: 'renews_at', type: 'date' })
  const listIds: string[] = []
  for (const name of ['Newsletter', 'Product news', 'Beta testers'])
    listIds.push((await create(sender, '/lists', { name })).id)
  const contactIds = await fillContacts(sender, listIds)
  await fillHistory(sender, 'delivered+dai@simulator.test')
  const listId = String(listIds[0])
  const segmentId = await fillSegments(sender, plan.id)
  return {
    contactId: String(contactIds[3]),
    listId,
    segmentId,
    importId: await importContacts(dashboard),
    ...(await fillOutreach(sender, { listId, segmentId })),
  }
}

const create = async (sender: Dashboard['sender'], path: string, body: object) =>
  (await sender.post(path, body)).json

async function fillContacts(sender: Dashboard['sender'], listIds: readonly string[]): Promise<string[]> {
  const contactIds: string[] = []
  for (const [index, [user, first_name, last_name, plan, seats]] of PEOPLE.entries()) {
    const contact = await create(sender, '/contacts', {
      email: `delivered+${user}@simulator.test`,
      first_name,
      last_name,
      user_id: `customer-${1_000 + index}`,
      unsubscribed: user === 'eve',
      properties: { plan, seats, renews_at: `2027-0${index + 1}-15` },
      list_ids: listIds.slice(0, index % 4),
    })
    contactIds.push(contact.id)
  }
  return contactIds
}

/** Gives one contact emails, a suppression and an unsubscribed topic. */
async function fillHistory(sender: Dashboard['sender'], contact: string): Promise<void> {
  for (const subject of ['Welcome to Harbour Coffee', 'Your receipt from Harbour Coffee'])
    await sender.send({ to: contact, subject, text: 'Thank you.' })
  await sender.post('/suppressions', { email: contact })
  await sender.post('/unsubscriptions', { email: contact, topic: 'Product news' })
  await sender.post('/suppressions/batch/add', { emails: ['gone@old.example', 'angry@old.example'] })
}

/** Creates two segments. Returns the id of the first, which has two groups. */
async function fillSegments(sender: Dashboard['sender'], planId: string): Promise<string> {
  const segment = await create(sender, '/segments', {
    name: 'Pro customers of this year',
    match_type: 'all',
    filters: {
      groups: [
        {
          match_type: 'any',
          conditions: [
            { field: 'property', property_id: planId, operator: 'equals', value: 'pro' },
            { field: 'property', property_id: planId, operator: 'equals', value: 'team' },
          ],
        },
        {
          match_type: 'all',
          conditions: [
            { field: 'created_at', operator: 'on_or_after', value: '2026-01-01' },
            { field: 'unsubscribed', operator: 'equals', value: false },
          ],
        },
      ],
    },
  })
  await create(sender, '/segments', {
    name: 'Without a name',
    filters: { groups: [{ conditions: [{ field: 'first_name', operator: 'is_not_set' }] }] },
  })
  return String(segment.id)
}

/** Imports contacts from a file with some invalid rows. */
async function importContacts({ sender, url }: Dashboard): Promise<string> {
  const rows = [
    'email,first_name,seats',
    'ida@customer.example,Ida,3',
    'nobody,Nobody,1',
    'jon@customer.example,Jon,many',
  ]
  const { json } = await upload(url, sender, '/contacts/import', `${rows.join('\r\n')}\r\n`)
  return String(json.id)
}

async function fillOutreach(
  sender: Dashboard['sender'],
  { listId, segmentId }: { listId: string; segmentId: string },
): Promise<Pick<AudienceSample, 'campaignId' | 'scheduledCampaignId' | 'automationId' | 'templateId'>> {
  const { json: from } = await sender.post('/senders', {
    name: 'Harbour News',
    username: 'news',
    domain_id: sender.domainId,
  })
  const { json: template } = await sender.post('/templates', {
    name: 'Welcome series, first letter',
    subject: 'Good to have you',
    text_content: 'Welcome.',
    sender_id: from.id,
    status: 'published',
  })
  const { json: draft } = await sender.post('/campaigns', {
    name: 'Spring offer',
    sender_id: from.id,
    subject: 'Spring is here',
    html: '<h1>Spring is here</h1><p>Everything at half the price.</p>',
    segment_id: segmentId,
  })
  const { json: scheduled } = await sender.post('/campaigns', {
    name: 'Newsletter of next month',
    sender_id: from.id,
    template_id: template.id,
    list_id: listId,
    status: 'scheduled',
    scheduled_at: new Date(Date.now() + 20 * 86_400_000).toISOString(),
  })
  const automationId = await fillAutomations(sender, { listId, segmentId, templateId: template.id })
  return {
    campaignId: String(draft.id),
    scheduledCampaignId: String(scheduled.id),
    automationId,
    templateId: String(template.id),
  }
}

/** Creates an active automation with a condition, and a draft. Returns the id of the active one. */
async function fillAutomations(
  sender: Dashboard['sender'],
  { listId, segmentId, templateId }: { listId: string; segmentId: string; templateId: string },
): Promise<string> {
  const { id } = await create(sender, '/automations', {
    name: 'Welcome series',
    status: 'active',
    steps: [
      { key: 'start', type: 'trigger', config: { type: 'list_joined', list_id: listId } },
      { key: 'welcome', type: 'send_email', config: { template: { id: templateId } } },
      { key: 'pause', type: 'delay', config: { duration: '3 days' } },
      { key: 'is_pro', type: 'condition', config: { type: 'segment', segment_id: segmentId } },
      {
        key: 'ask',
        type: 'send_email',
        config: { template: { id: templateId }, subject: 'How do you like it?' },
      },
      { key: 'leave', type: 'exit', config: { reason: 'On a free plan' } },
    ],
    connections: [
      { from: 'start', to: 'welcome' },
      { from: 'welcome', to: 'pause' },
      { from: 'pause', to: 'is_pro' },
      { from: 'is_pro', to: 'ask', type: 'condition_met' },
      { from: 'is_pro', to: 'leave', type: 'condition_not_met' },
    ],
  })
  await create(sender, '/automations', {
    name: 'Win back',
    steps: [{ key: 'pause', type: 'delay', config: { duration: '1 hour' } }],
  })
  return String(id)
}
