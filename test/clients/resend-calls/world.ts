import type { Resend } from 'resend'
import { expect } from 'vitest'
import type { Db } from '../../../src/db/db-types.ts'
import type { Sender } from '../../support/sendwright.ts'
import type { WebhookReceiver } from '../../support/webhook-receiver.ts'

/** The environment for the calls of a scenario. */
export interface World {
  /** The client whose responses are compared with their types. */
  resend: Resend
  /** Creates a client with another key. */
  newClient(key: string): Resend
  /** The team behind the client. */
  sender: Sender
  /** The URL of the server, to which public links lead. */
  url: string
  /** An endpoint for webhooks. */
  receiver: WebhookReceiver
  db: Db
}

export const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

type Paged = { object: string; has_more: boolean; data: { id: string }[] }
type Cursor = { limit?: number; after?: string; before?: string }

/** Reads a list of the three records `ids`, newest first, forwards and backwards by cursors. */
export async function expectPages(
  ids: readonly string[],
  list: (options: Cursor) => PromiseLike<{ data: Paged | null; error: unknown }>,
): Promise<void> {
  const read = async (options: Cursor) => {
    const { data, error } = await list(options)
    expect(error).toBeNull()
    expect(data).toMatchObject({ object: 'list' })
    return [data?.data.map(({ id }) => id), data?.has_more]
  }
  const [newest, middle, oldest] = ids as [string, string, string]
  expect(await read({})).toEqual([[newest, middle, oldest], false])
  expect(await read({ limit: 2 })).toEqual([[newest, middle], true])
  expect(await read({ limit: 2, after: middle })).toEqual([[oldest], false])
  expect(await read({ limit: 1, before: oldest })).toEqual([[middle], true])
}
