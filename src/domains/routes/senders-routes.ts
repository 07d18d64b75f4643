import type { Static } from 'typebox'
import { Resource, type ResourceDeps } from '../../http/route/resource.ts'
import type { Route } from '../../http/route/route.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { changeSender, createSender, removeSender } from '../senders.ts'
import { findSender, listSenders, SENDER_COUNTER } from '../senders-queries.ts'
import { SenderAnswer, SenderBody, SenderChanges, senderToJson } from './sender-schemas.ts'

/** Returns only the fields that the request gives. */
function readChanges({
  name,
  username,
  domain_id: domainId,
  reply_to: replyTo,
}: Static<typeof SenderChanges>) {
  return omitUndefined({ name, username, domainId, replyTo })
}

const senders = new Resource('/senders', 'sender', {
  area: 'senders',
  permission: 'full',
  noun: 'sender',
  schema: SenderAnswer,
  toJson: senderToJson,
})

export const senderRoutes: readonly Route<ResourceDeps>[] = [
  senders.create('createSender', 'Create a sender', {
    description: 'A name and an address at one of your domains, which templates and campaigns send from.',
    body: SenderBody,
    bodyExtends: 'UpdateSenderRequest',
    input: ({ name, username, domain_id: domainId, reply_to: replyTo = null }) => ({
      name,
      username,
      domainId,
      replyTo,
    }),
    create: createSender,
  }),
  senders.list('listSenders', 'List senders', {
    description: 'Newest first.',
    read: listSenders,
    counter: SENDER_COUNTER,
  }),
  senders.get('getSender', 'Get a sender', {
    description: 'Returns the name, address, and reply address.',
    read: findSender,
  }),
  ...senders.update('updateSender', 'Update a sender', {
    description: 'Changes only the fields you send. Emails accepted earlier keep the address they had.',
    body: SenderChanges,
    input: readChanges,
    update: changeSender,
  }),
  senders.delete('deleteSender', 'Delete a sender', {
    description: 'Returns 409 while a campaign, automation, or template uses the sender, in any status.',
    remove: removeSender,
  }),
]
