import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { newId } from '../../lib/ids.ts'
import { FeedReader } from './feed-reader.ts'
import { TeamFeeds } from './team-feeds.ts'

test('only a few events with large bodies are read at a time', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const [teamId, subjectId] = [newId(), newId()]
  const data = { text: 'x'.repeat(100_000) }
  const events = Array.from({ length: 10 }, () => ({
    teamId,
    subjectId,
    type: 'domain.created' as const,
    data,
  }))
  await database.db.transaction(async (tx) => recordEvents(tx, events, new Date()))
  const reader = new FeedReader({ teamId, types: [], position: 0 }, new TeamFeeds(database.db))
  reader.see(10)
  expect(await reader.readOn(8, 100)).toBe(true)
  expect(reader.window.size).toBe(3)
  expect(await reader.readOn(8, 100)).toBe(false)
  for (let slot = reader.window.takeNext(); slot !== null; slot = reader.window.takeNext())
    slot.state = 'done'
  reader.window.takeResults()
  expect(await reader.readOn(8, 100)).toBe(true)
  expect([reader.window.readTo, reader.hasMore]).toEqual([6, true])
})
