import type { Static } from 'typebox'
import { type ResourceDeps, resource } from '../../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { changeSender, createSender, removeSender, type SenderInput } from '../senders.ts'
import { findSender, listSenders, SENDER_COUNTER } from '../senders-queries.ts'
import { SenderAnswer, SenderBody, SenderChanges, senderToJson } from './sender-schemas.ts'

const { route } = routesOf<ResourceDeps>()

const COMMON = { tag: 'Senders', permission: 'full', limit: 'general' } as const
const senders = resource('/senders', 'sender', COMMON)
const ONE = { description: 'The sender.', schema: SenderAnswer }

/** Returns only the fields that the request gives. */
function readChanges(body: Static<typeof SenderChanges>): Partial<SenderInput> {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.username === undefined ? {} : { username: body.username }),
    ...(body.domain_id === undefined ? {} : { domainId: body.domain_id }),
    ...(body.reply_to === undefined ? {} : { replyTo: body.reply_to }),
  }
}

const postSender = route('POST', '/senders', {
  ...COMMON,
  operationId: 'createSender',
  action: 'senders.create',
  summary: 'Create a sender',
  description: 'A name and an address at one of your domains, which templates and campaigns send from.',
  body: SenderBody,
  responses: { 201: { ...ONE, description: 'The new sender.' } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const { name, username, domain_id: domainId, reply_to: replyTo = null } = body
    const input = { name, username, domainId, replyTo }
    const sender = await audited.transaction((tx) => createSender(tx, caller.teamId, input, clock.now()))
    return { status: 201, json: senderToJson(sender) }
  },
})

const getSenders = senders.list('listSenders', 'List senders', {
  description: 'Newest first.',
  schema: SenderAnswer,
  read: listSenders,
  counter: SENDER_COUNTER,
  toJson: senderToJson,
})

const getSender = senders.get('getSender', 'Get a sender', {
  description: 'Returns the name, address, and reply address.',
  response: ONE,
  read: findSender,
  toJson: senderToJson,
})

const patchSender = route('PATCH', '/senders/:id', {
  ...COMMON,
  operationId: 'updateSender',
  action: 'senders.update',
  summary: 'Update a sender',
  description: 'Changes only the fields you send. Emails accepted earlier keep the address they had.',
  params: IdParams,
  body: SenderChanges,
  responses: { 200: ONE },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const changes = readChanges(body)
    const sender = await audited.transaction((tx) =>
      changeSender(tx, caller.teamId, params.id, changes, clock.now()),
    )
    return { status: 200, json: senderToJson(sender) }
  },
})

const deleteSender = senders.delete('deleteSender', 'Delete a sender', {
  description: 'Returns 409 while a campaign, automation, or template uses the sender, in any status.',
  remove: removeSender,
})

export const senderRoutes: readonly Route<ResourceDeps>[] = [
  postSender,
  getSenders,
  getSender,
  patchSender,
  aliasOf(patchSender, { method: 'PUT' }),
  deleteSender,
]
