import { formatTime } from '../lib/time/format-time.ts'

/** Returns an event as clients see it: in the feed, in streams and in an email's own list. */
export function eventToJson(event: {
  id: string
  type: string
  createdAt: Date
  data: Record<string, unknown>
}) {
  return {
    object: 'event',
    id: event.id,
    type: event.type,
    created_at: formatTime(event.createdAt),
    data: event.data,
  }
}
