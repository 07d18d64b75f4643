import type { PlanName } from '../../src/access/plans.ts'
import { made } from './client.ts'
import type { Sender, TestSendwright } from './sendwright.ts'

type Fields = Record<string, unknown>

/** What a campaign needs. */
export interface CampaignWorld {
  ann: Sender
  /** The domain of all contacts. */
  to: string
  senderId: string
  listId: string
  /** The ids of the contacts, in order of their creation. */
  contactIds: string[]
}

/**
 * Creates a team with a sender, and a list of these contacts, or so many, at a destination of their own. Their addresses
 * are `c0@<to>`, `c1@<to>` and so on.
 */
export async function givenReaders(
  service: TestSendwright,
  contacts: readonly Fields[] | number,
  { plan = 'unlimited', sender = {} }: { plan?: PlanName; sender?: Fields } = {},
): Promise<CampaignWorld> {
  const ann = await service.givenSender({ plan })
  const to = service.givenDestination()
  const person = { name: 'Ann', username: 'ann', domain_id: ann.domainId, ...sender }
  const senderId = await made(ann, '/senders', person)
  const listId = await made(ann, '/lists', { name: 'Readers' })
  const contactIds: string[] = []
  const all: readonly Fields[] = typeof contacts === 'number' ? Array(contacts).fill({}) : contacts
  for (const [no, fields] of all.entries()) {
    contactIds.push(await made(ann, '/contacts', { email: `c${no}@${to}`, list_ids: [listId], ...fields }))
  }
  return { ann, to, senderId, listId, contactIds }
}
