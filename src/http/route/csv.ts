import Type from 'typebox'
import type { Reply } from './route.ts'

/** The schema of a response that is a CSV file. */
export const CSV = Type.String({ description: 'A CSV file (RFC 4180) in UTF-8.' })

/** Returns a reply that streams a CSV file, named after its content and the day. */
export function attachCsv(chunks: AsyncIterable<string>, name: string, now: Date): Reply {
  const file = `${name}-${now.toISOString().slice(0, 10)}.csv`
  return {
    status: 200,
    chunks,
    type: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="${file}"` },
  }
}
