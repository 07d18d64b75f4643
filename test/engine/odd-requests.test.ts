import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/odd-requests')
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
const LATER = new Date(Date.now() + 24 * 3_600_000).toISOString()

let service: SharedSendwright
let ann: Sender
beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

test.each(NAMES)('accepted and shown: %s', async (name) => {
  const { body, shows } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))
  const reply = await ann.post('/emails', ann.email({ ...body, scheduled_at: LATER }))
  expect(reply.status, reply.text).toBe(202)
  expect((await ann.get(`/emails/${reply.json.id}`)).json).toMatchObject(shows)
})
