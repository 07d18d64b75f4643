import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { countTurns } from '../../../test/support/loop-turns.ts'
import { capturedSummariesToJson } from './captured-schemas.ts'

test('a list of captured messages leaves the event loop to others after each row', async () => {
  const row = {
    teamId: randomUUID(),
    id: randomUUID(),
    emailId: null,
    mailFrom: 'bounce@sender.test',
    rcptTo: 'a@b.test',
    message: Buffer.from(`From: a@b.test\r\nTo: ${'a@b.cc, '.repeat(2000)}`),
    receivedAt: new Date(),
  }
  const rows = Array.from({ length: 10 }, () => row)
  expect(await countTurns(() => capturedSummariesToJson(rows))).toBeGreaterThanOrEqual(rows.length)
})
