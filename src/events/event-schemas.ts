import Type from 'typebox'
import { Text, Timestamp, Uuid } from '../http/schemas.ts'
import { EVENT_TYPES } from './catalogue.ts'
import { EXAMPLES } from './example-values.ts'

const fields = {
  object: Type.Literal('event'),
  id: Uuid,
  type: Type.Enum([...EVENT_TYPES], { title: 'EventType', description: 'The type of the event.' }),
  created_at: Timestamp,
}

/** As the feed tells it. */
const Event = Type.Object(
  {
    ...fields,
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The subject and the details. The fields depend on the type.',
    }),
  },
  { title: 'Event' },
)

/** As an email's own list tells it: what the email says of itself is not said again. */
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
    has_more: Type.Boolean({ description: 'More events follow. Continue from `next_cursor` at once.' }),
    next_cursor: Text('The `after` of the next request, also when this page is empty.'),
  },
  { title: 'EventPage', examples: [EXAMPLES.eventPage] },
)
