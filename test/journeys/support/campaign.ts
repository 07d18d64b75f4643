import { arrays } from '../../../src/db/arrays.ts'
import { newId } from '../../../src/lib/ids.ts'
import { made, requester } from '../../support/client.ts'
import type { Installation } from './installation.ts'
import { queryDatabase } from './verdict.ts'

/** Resolves to the status of the campaign, after a change to `status` unless it is null. Rejects while the API is away. */
export type Ask = (status: string | null) => Promise<string>

/** Creates so many contacts and a campaign to all of them. */
export async function givenCampaign(
  installation: Installation,
  databaseUrl: string,
  contactCount: number,
): Promise<Ask> {
  const { teamId, token } = await installation.createSender('one.sender.test')
  const request = requester(installation.url, token)
  const ids = Array.from({ length: contactCount }, () => newId())
  await queryDatabase(
    databaseUrl,
    `insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
     select $1, k.id, 'person' || k.number || '@' || ($3::text[])[1 + k.number % 3], false, now(), now()
     from unnest($2::uuid[]) with ordinality as k (id, number)`,
    [teamId, arrays.uuid(ids), installation.destinations],
  )
  const domains = await request.get('/domains')
  const sender = { name: 'Shop', username: 'news', domain_id: domains.json.data[0].id }
  const condition = { field: 'unsubscribed', type: 'boolean', operator: 'equals', value: false }
  const filters = { groups: [{ match_type: 'all', conditions: [condition] }] }
  const id = await made(request, '/campaigns', {
    name: 'Everybody',
    sender_id: await made(request, '/senders', sender),
    segment_id: await made(request, '/segments', { name: 'All', filters }),
    subject: 'Hello {{EMAIL}}',
    text: 'Once.',
  })
  return async (status) => {
    const path = `/campaigns/${id}`
    const reply = status === null ? await request.get(path) : await request.patch(path, { status })
    // A repeated change whose answer was lost is refused, because it has the status already.
    if (reply.status !== 200 && reply.status !== 422) throw new Error(`${reply.status} ${reply.text}`)
    return status ?? reply.json.status
  }
}
