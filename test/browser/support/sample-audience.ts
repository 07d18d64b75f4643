import type { Dashboard } from './dashboard.ts'

/** What pages about contacts, and of what is sent to them, show. */
export interface AudienceSample {
  /** Of one with names, values, lists, emails, a suppression. */
  contactId: string
  listId: string
  segmentId: string
  /** Of an import that left rows out. */
  importId: string
  campaignId: string
  scheduledCampaignId: string
  automationId: string
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

/** Contacts, what they have, how they are grouped, and what is planned for them. */
export async function fillAudience({ sender, url }: Dashboard): Promise<AudienceSample> {
  const made = async (path: string, body: object) => (await sender.post(path, body)).json
  const plan = await made('/properties', { key: 'plan', type: 'string', fallback_value: 'free' })
  await made('/properties', { key: 'seats', type: 'number' })
  await made('/properties', { key: 'renews_at', type: 'date' })
  const lists: string[] = []
  for (const name of ['Newsletter', 'Product news', 'Beta testers'])
    lists.push((await made('/lists', { name })).id)
  const contactIds: string[] = []
  for (const [index, [user, first_name, last_name, planName, seats]] of PEOPLE.entries())
    contactIds.push(
      (
        await made('/contacts', {
          email: `delivered+${user}@simulator.test`,
          first_name,
          last_name,
          user_id: `customer-${1_000 + index}`,
          unsubscribed: user === 'eve',
          properties: { plan: planName, seats, renews_at: `2027-0${index + 1}-15` },
          list_ids: lists.slice(0, index % 4),
        })
      ).id,
    )
  const contact = 'delivered+dai@simulator.test'
  for (const subject of ['Welcome to Harbour Coffee', 'Your receipt from Harbour Coffee'])
    await sender.send({ to: contact, subject, text: 'Thank you.' })
  await sender.post('/suppressions', { email: contact })
  await sender.post('/unsubscriptions', { email: contact, topic: 'Product news' })
  await sender.post('/suppressions/batch/add', { emails: ['gone@old.example', 'angry@old.example'] })
  const segment = await made('/segments', {
    name: 'Pro customers of this year',
    match_type: 'all',
    filters: {
      groups: [
        {
          match_type: 'any',
          conditions: [
            { field: 'property', property_id: plan.id, operator: 'equals', value: 'pro' },
            { field: 'property', property_id: plan.id, operator: 'equals', value: 'team' },
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
  await made('/segments', {
    name: 'Without a name',
    filters: { groups: [{ conditions: [{ field: 'first_name', operator: 'is_not_set' }] }] },
  })
  const imported = await importContacts(url, sender.token)
  return {
    contactId: String(contactIds[3]),
    listId: String(lists[0]),
    segmentId: String(segment.id),
    importId: imported,
    ...(await fillOutreach(sender, { listId: String(lists[0]), segmentId: String(segment.id) })),
  }
}

/** By a file in which some rows are wrong. */
async function importContacts(url: string, token: string): Promise<string> {
  const rows = [
    'email,first_name,seats',
    'ida@customer.example,Ida,3',
    'nobody,Nobody,1',
    'jon@customer.example,Jon,many',
  ]
  const response = await fetch(`${url}/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: `${rows.join('\r\n')}\r\n`,
  })
  return String(((await response.json()) as { id: string }).id)
}

async function fillOutreach(
  sender: Dashboard['sender'],
  { listId, segmentId }: { listId: string; segmentId: string },
): Promise<Pick<AudienceSample, 'campaignId' | 'scheduledCampaignId' | 'automationId'>> {
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
  const { json: automation } = await sender.post('/automations', {
    name: 'Welcome series',
    status: 'active',
    trigger: { type: 'list_joined', list_id: listId },
    steps: [
      { type: 'send_email', template_id: template.id },
      { type: 'wait', seconds: 3 * 86_400 },
      { type: 'condition', segment_id: segmentId },
      { type: 'send_email', template_id: template.id, subject: 'How do you like it?' },
    ],
  })
  await sender.post('/automations', {
    name: 'Win back',
    trigger: null,
    steps: [{ type: 'wait', seconds: 3600 }],
  })
  return {
    campaignId: String(draft.id),
    scheduledCampaignId: String(scheduled.id),
    automationId: String(automation.id),
  }
}
