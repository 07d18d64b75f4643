import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenSegment } from '../../../test/support/automation-segments.ts'
import { chainOf, onEvent } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { Graph } from '../graph/graph-types.ts'
import { type RunContact, readRunContacts } from '../rows/contact-scopes-queries.ts'
import { RunIndex } from '../running/run-index.ts'
import { traceRun } from './dry-run.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

type Fields = Record<string, unknown>

test.each<[string, (rule: Fields) => Fields]>([
  ['condition', (rule) => rule],
  ['split', (rule) => ({ branches: [{ rule }] })],
  ['goal', (rule) => ({ rule, otherwise: 'continue' })],
])('a %s on a segment that was deleted ends the trace as it ends a run', async (type, configOf) => {
  const { deps, teamId, segmentId, contacts, at } = await givenSegment(database.db)
  const isNoVip = { type: 'not', rule: { type: 'segment', segment_id: segmentId } }
  const graph = chainOf(onEvent('go'), ['known', type, configOf(isNoVip)], ['end', 'exit']) as Graph
  const ids = await contacts(1)
  const [contact] = [...(await readRunContacts(database.db, teamId, ids)).values()] as [RunContact]
  const run = { teamId, index: new RunIndex(graph), contact, payload: {}, events: new Set<string>() }
  const trace = async () => (await traceRun(deps, run, at())).end
  expect(await trace()).not.toContain('fail')
  await database.db.query('delete from segment where team_id = $1', [teamId])
  expect(await trace()).toBe('The run would fail: A segment in its rule was deleted.')
})
