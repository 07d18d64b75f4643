import { vi } from 'vitest'
import type { Dashboard } from './dashboard.ts'

/** The campaigns that were sent or are being sent, for screenshots. */
export interface CampaignsSample {
  sentCampaignId: string
  underWayCampaignId: string
}

const FATES = ['delivered', 'delivered', 'delivered', 'delivered', 'delivered', 'bounced', 'complained']
const READER_COUNT = 35
/** So slow that it is under way for as long as anybody looks. */
const SLOW_PER_HOUR = 6
const WITHIN = { timeout: 20_000, interval: 100 }

/** Sends one campaign, and begins another. */
export async function fillCampaigns(dashboard: Dashboard): Promise<CampaignsSample> {
  const { sender } = dashboard
  const { json: list } = await sender.post('/lists', { name: 'Harbour regulars' })
  const { json: from } = await sender.post('/senders', {
    name: 'Harbour Letters',
    username: 'letters',
    domain_id: sender.domainId,
  })
  for (let no = 0; no < READER_COUNT; no++) {
    const email = `${FATES[no % FATES.length]}+reader${no}@simulator.test`
    await sender.post('/contacts', { email, list_ids: [list.id] })
  }
  const content = {
    sender_id: from.id,
    list_id: list.id,
    subject: 'The harbour in autumn',
    html: '<h1>Autumn</h1><p><a href="https://shop.test/autumn">The new roasts</a></p><p><a href="{{{UNSUBSCRIBE_URL}}}">Unsubscribe</a></p>',
  }
  const { json: underWay } = await sender.post('/campaigns', {
    ...content,
    name: 'Autumn, second letter',
    rate_per_hour: SLOW_PER_HOUR,
  })
  const { json: sent } = await sender.post('/campaigns', { ...content, name: 'Autumn, first letter' })
  await sender.post(`/campaigns/${sent.id}/send`, {})
  await vi.waitUntil(
    async () => (await sender.get(`/campaigns/${sent.id}`)).json.totals.attempted === READER_COUNT,
    WITHIN,
  )
  await sender.post(`/campaigns/${underWay.id}/send`, {})
  await vi.waitUntil(
    async () => (await sender.get(`/campaigns/${underWay.id}`)).json.recipients.accepted > 0,
    WITHIN,
  )
  return { sentCampaignId: String(sent.id), underWayCampaignId: String(underWay.id) }
}
