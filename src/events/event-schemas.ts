import Type from 'typebox'
import { Text, Timestamp, Uuid } from '../http/route/schemas.ts'
import { EVENT_TYPES } from './catalogue.ts'
import { EXAMPLES } from './example-values.ts'

const fields = {
  object: Type.Literal('event'),
  id: Uuid,
  type: Type.Enum([...EVENT_TYPES], { title: 'EventType', description: 'Type of the event.' }),
  created_at: Timestamp,
}

/** An event in the feed. */
const Event = Type.Object(
  {
    ...fields,
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The subject and the details. The fields depend on the type.',
    }),
  },
  { title: 'Event' },
)

/** An event in an email's list of events, without the fields of the email itself. */
export const EmailEvent = Type.Object(
  {
    ...fields,
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The recipient and the details. The fields depend on the type.',
    }),
  },
  { title: 'EmailEvent' },
)

export const EventPage = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Event),
    has_more: Type.Boolean({
      description: 'Whether more events follow. If so, continue from `next_cursor` immediately.',
    }),
    next_cursor: Text('The `after` of the next request, even if this page is empty.'),
  },
  { title: 'EventPage', examples: [EXAMPLES.eventPage] },
)
