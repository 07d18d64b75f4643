import Type, { type Static } from 'typebox'
import { Timestamp, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { Sender } from '../senders-queries.ts'

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

/** A sender, alone or within objects that use it. */
export const SenderAnswer = Type.Object(
  {
    object: Type.Literal('sender'),
    id: Uuid,
    domain_id: Uuid,
    name: Type.String({ description: 'Display name.' }),
    username: Type.String({ description: 'Part before the @.' }),
    email: Type.String({ description: 'Address: username and domain.' }),
    reply_to: Type.String({
      description: 'Reply address. Default: the address of the sender.',
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
    // Always a string (API-18). Replies without `reply_to` go to this address anyway.
    reply_to: sender.replyTo ?? sender.email,
    created_at: formatTime(sender.createdAt),
    updated_at: formatTime(sender.updatedAt),
  }
}

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Display name, without line breaks or control characters.',
})
const Username = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Part before the @: a Dot-string (RFC 5321). Unique in the domain, ignoring case (409).',
})
const DomainId = Type.String({
  format: 'uuid',
  description: 'Id of the domain. It must be verified when you send, not before.',
})
const ReplyTo = Type.Optional(
  Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
    description: 'Reply address. A display name is removed. Default: the address of the sender.',
  }),
)
export const SenderBody = Type.Object(
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
export const SenderChanges = Type.Object(
  {
    name: Type.Optional(Name),
    username: Type.Optional(Username),
    domain_id: Type.Optional(DomainId),
    reply_to: ReplyTo,
  },
  { examples: [{ name: 'Acme Help', reply_to: null }] },
)
