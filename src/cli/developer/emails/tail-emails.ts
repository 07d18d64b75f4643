import type { EventType, FeedEvent } from '../../../../packages/sdk/src/index.ts'
import { type CommonOptions, connect } from '../connect.ts'
import { createLines, formatCell } from '../output.ts'
import { abortOnSignal } from '../until-signal.ts'

interface Options extends CommonOptions {
  type?: string[]
  fromStart?: boolean
  limit?: number
}

const TYPE_WIDTH = 22

/** Prints the events of emails until a signal, or until there were as many as asked for. */
export async function tailEmails(id: string | undefined, options: Options): Promise<void> {
  const { type, fromStart, limit = Number.POSITIVE_INFINITY } = options
  const { client } = connect(options)
  const lines = createLines(options)
  const stream = client.events.stream({
    from: fromStart === true ? 'start' : 'end',
    signal: abortOnSignal(),
    // The server rejects types that it does not know.
    ...(type === undefined ? {} : { types: type as EventType[] }),
    ...(id === undefined ? {} : { email_id: id }),
  })
  let count = 0
  for await (const event of stream) {
    if (!event.type.startsWith('email.')) continue
    lines.write(event, describe(event))
    count += 1
    if (count >= limit) break
  }
}

function describe({ type, created_at, data }: FeedEvent): string {
  const { recipient, to, subject, response } = data as Record<string, unknown>
  const whom = recipient ?? (Array.isArray(to) ? to.join(', ') : to)
  const parts = [whom, subject, response].filter((part) => typeof part === 'string' && part !== '')
  return [created_at, type.padEnd(TYPE_WIDTH), ...parts.map(formatCell)].join('  ')
}
