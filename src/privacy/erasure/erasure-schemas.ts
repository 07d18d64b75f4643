import Type from 'typebox'
import { Timestamp, TimestampOrNull, Uuid } from '../../http/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { Erasure } from './erasures-queries.ts'

const EXAMPLE = {
  object: 'erasure',
  id: '0198c0de-0000-7000-8000-0000000000aa',
  status: 'running',
  emails: 120,
  waiting_emails: 0,
  created_at: '2026-01-15 09:30:00',
  finished_at: null,
}

export const EraseBody = Type.Object(
  {
    keep_suppressed: Type.Optional(
      Type.Boolean({
        description:
          'true: the address gets no email from then on, also where it was not suppressed before. Otherwise it stays suppressed if it was.',
      }),
    ),
  },
  { examples: [{ keep_suppressed: true }] },
)

export const ErasureAnswer = Type.Object(
  {
    object: Type.Literal('erasure'),
    id: Uuid,
    status: Type.Enum(['running', 'waiting', 'completed'], {
      description:
        'running: there is more to remove; waiting: only messages are left that others are still to get; completed: nothing of the person is left.',
    }),
    emails: Type.Integer({ description: 'Emails that were erased so far.' }),
    waiting_emails: Type.Integer({ description: 'Emails whose message others are still to get.' }),
    created_at: Timestamp,
    finished_at: TimestampOrNull,
  },
  { title: 'Erasure', examples: [EXAMPLE] },
)

export function erasureToJson({ id, address, emails, waiting, createdAt, finishedAt }: Erasure) {
  return {
    object: 'erasure',
    id,
    status: address !== null ? 'running' : waiting > 0 ? 'waiting' : 'completed',
    emails,
    waiting_emails: waiting,
    created_at: formatTime(createdAt),
    finished_at: formatTime(finishedAt),
  }
}
