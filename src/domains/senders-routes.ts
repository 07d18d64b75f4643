import Type, { type Static } from 'typebox'
import type { Config } from '../config/config.ts'
import { readCounter } from '../db/counters.ts'
import type { Db } from '../db/db-types.ts'
import { listOf, listToJson, PageQuery, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { type Audited, aliasOf, type Request, type Route, routesOf } from '../http/route.ts'
import { Deleted, IdParams, Timestamp, Uuid } from '../http/schemas.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { changeSender, createSender, removeSender, type SenderInput } from './senders.ts'
import { findSender, listSenders, SENDER_COUNTER, type Sender } from './senders-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const EXAMPLE = {
  object: 'sender',
  id: '0197a1c2-7b44-7c3e-9a51-3f0c4d5e6f70',
  domain_id: '0197a1b0-1f2e-7d3c-8b4a-5c6d7e8f9a0b',
  name: 'Acme Support',
  username: 'support',
  email: 'support@mail.example.com',
  reply_to: 'help@example.com',
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
}

/** A sender as it stands alone and inside of what uses it. */
export const SenderAnswer = Type.Object(
  {
    object: Type.Literal('sender'),
    id: Uuid,
    domain_id: Uuid,
    name: Type.String({ description: 'The display name.' }),
    username: Type.String({ description: 'What stands before the @.' }),
    email: Type.String({ description: 'Username and domain together.' }),
    reply_to: Type.String({
      description: 'Where replies go: the sender’s own address unless another was set.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Sender', examples: [EXAMPLE] },
)

export function senderToJson(sender: Sender): Static<typeof SenderAnswer> {
  return {
    object: 'sender',
    id: sender.id,
    domain_id: sender.domainId,
    name: sender.name,
    username: sender.username,
    email: sender.email,
    // Always a string (API-18), and a reply to the sender goes there anyway.
    reply_to: sender.replyTo ?? sender.email,
    created_at: formatTime(sender.createdAt),
    updated_at: formatTime(sender.updatedAt),
  }
}

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The display name, without line breaks or control characters.',
})
const Username = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    'What stands before the @: a dot-string of RFC 5321. Unique in the domain without regard to case (409).',
})
const DomainId = Type.String({
  format: 'uuid',
  description: 'A domain of the account. It need not be verified yet: sending checks that.',
})
const ReplyTo = Type.Optional(
  Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
    description:
      'Where replies go. Of an address with a display name the address is kept. Null, or none: the sender’s own address.',
  }),
)
const SenderBody = Type.Object(
  { name: Name, username: Username, domain_id: DomainId, reply_to: ReplyTo },
  {
    examples: [
      {
        name: 'Acme Support',
        username: 'support',
        domain_id: EXAMPLE.domain_id,
        reply_to: 'help@example.com',
      },
    ],
  },
)
const SenderChanges = Type.Object(
  {
    name: Type.Optional(Name),
    username: Type.Optional(Username),
    domain_id: Type.Optional(DomainId),
    reply_to: ReplyTo,
  },
  { examples: [{ name: 'Acme Help', reply_to: null }] },
)

const COMMON = { tag: 'Senders', permission: 'full', limit: 'general' } as const
const ONE = { description: 'The sender.', schema: SenderAnswer }

/** Only what the request names. */
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
  description: 'A name and an address on one of your domains, which templates and campaigns send from.',
  body: SenderBody,
  responses: { 201: { ...ONE, description: 'The new sender.' } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const { name, username, domain_id: domainId, reply_to: replyTo = null } = body
    const input = { name, username, domainId, replyTo }
    const sender = await audited.transaction((tx) => createSender(tx, caller.teamId, input, clock.now()))
    return { status: 201, json: senderToJson(sender) }
  },
})

const getSenders = route('GET', '/senders', {
  ...COMMON,
  operationId: 'listSenders',
  summary: 'List senders',
  description: 'Newest first.',
  query: PageQuery,
  responses: {
    200: { description: 'Newest first.', schema: listOf(SenderAnswer) },
  },
  async handle({ caller, query, deps: { lists, config } }) {
    const page = readPage(query)
    const [{ rows, hasMore }, total] = await Promise.all([
      listSenders(lists, caller.teamId, page),
      readCounter(lists, caller.teamId, SENDER_COUNTER),
    ])
    const list = { publicUrl: config.publicUrl, path: '/senders', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data: rows.map(senderToJson) }) }
  },
})

const getSender = route('GET', '/senders/:id', {
  ...COMMON,
  operationId: 'getSender',
  summary: 'Get a sender',
  description: 'Returns the name, address, and reply address.',
  params: IdParams,
  responses: { 200: ONE },
  async handle({ caller, params, deps: { db } }) {
    const sender = await findSender(db, caller.teamId, params.id)
    if (sender === null) throw new ApiError('not_found')
    return { status: 200, json: senderToJson(sender) }
  },
})

async function putSender({
  caller,
  params,
  body,
  audited,
  deps: { clock },
}: Request<Static<typeof IdParams>, unknown, Static<typeof SenderChanges>, Deps> & Audited) {
  const changes = readChanges(body)
  const sender = await audited.transaction((tx) =>
    changeSender(tx, caller.teamId, params.id, changes, clock.now()),
  )
  return { status: 200, json: senderToJson(sender) }
}

const changing = {
  ...COMMON,
  operationId: 'updateSender',
  action: 'senders.update',
  summary: 'Update a sender',
  description: 'Changes only the fields you send. Emails accepted earlier keep the address they had.',
  params: IdParams,
  body: SenderChanges,
  responses: { 200: ONE },
  handle: putSender,
}

const deleteSender = route('DELETE', '/senders/:id', {
  ...COMMON,
  operationId: 'deleteSender',
  action: 'senders.delete',
  summary: 'Delete a sender',
  description:
    'Returns 409 while any campaign, automation, or template names the sender, whatever their status: `This sender is used by campaigns and cannot be deleted.` for a campaign or an automation, `This sender is used by templates and cannot be deleted.` for a template.',
  params: IdParams,
  responses: {
    200: { description: 'The record was deleted.', schema: Deleted },
  },
  async handle({ caller, params, audited }) {
    const id = params.id.toLowerCase()
    await audited.transaction((tx) => removeSender(tx, caller.teamId, id))
    return { status: 200, json: deletedToJson('sender', id) }
  },
})

const patchOne = route('PATCH', '/senders/:id', changing)

export const senderRoutes: readonly Route<Deps>[] = [
  postSender,
  getSenders,
  getSender,
  patchOne,
  aliasOf(patchOne, { method: 'PUT' }),
  deleteSender,
]
