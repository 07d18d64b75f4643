import type { PlanName } from '../../src/access/plans.ts'
import { readContactRequest } from '../../src/audience/contacts/contact-input.ts'
import { type ContactInput, upsertContacts } from '../../src/audience/contacts/upsert-contacts.ts'
import { made } from './client.ts'
import type { Sender } from './sendwright.ts'
import type { SharedSendwright } from './shared-sendwright.ts'

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
  service: SharedSendwright,
  contacts: readonly Fields[] | number,
  { plan = 'unlimited', sender = {} }: { plan?: PlanName; sender?: Fields } = {},
): Promise<CampaignWorld> {
  const ann = await service.givenSender({ plan })
  const to = service.givenDestination()
  const person = { name: 'Ann', username: 'ann', domain_id: ann.domainId, ...sender }
  const senderId = await made(ann, '/senders', person)
  const listId = await made(ann, '/lists', { name: 'Readers' })
  const all: readonly Fields[] = typeof contacts === 'number' ? Array(contacts).fill({}) : contacts
  const requests = all.map((fields, no) => ({
    email: `c${no}@${to}`,
    listIds: [listId],
    ...inCamelCase(fields),
  }))
  const contactIds = await insertContacts(service, ann.id, requests)
  return { ann, to, senderId, listId, contactIds }
}

const inCamelCase = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )

/** Creates contacts as POST /contacts does, but all at once: hundreds of requests cost more than most campaigns. */
async function insertContacts(
  { db }: SharedSendwright,
  teamId: string,
  requests: readonly { email: string }[],
): Promise<string[]> {
  const outcomes = await db.transaction(async (tx) => {
    const inputs: ContactInput[] = []
    for (const request of requests) {
      const change = await readContactRequest(tx, teamId, request)
      inputs.push({ ...change, email: request.email })
    }
    // Ids have the order of the addresses, which is that of the numbers in them if these have as many digits.
    const all = []
    for (const some of Object.values(Object.groupBy(inputs, ({ email }) => email.length)))
      all.push(...(await upsertContacts(tx, teamId, some ?? [], new Date())))
    return all
  })
  return outcomes.map(({ id }) => id)
}
