import Type from 'typebox'
import { Timestamp, TimestampOrNull, Uuid } from '../../http/route/schemas.ts'
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
          'Suppresses the address even if it was not suppressed before. An existing suppression always remains.',
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
        '`running`: Sendwright is removing data. `waiting`: only messages that others have yet to receive are left. `completed`: no data of the person is left.',
    }),
    emails: Type.Integer({ description: 'Emails erased so far.' }),
    waiting_emails: Type.Integer({ description: 'Emails that others have yet to receive.' }),
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
