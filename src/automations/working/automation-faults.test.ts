import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenSendingEngine } from '../../../test/support/automation-engine.ts'
import { givenSegment } from '../../../test/support/automation-segments.ts'
import { chainOf, onEvent } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { updateContact } from '../../audience/contacts/contacts.ts'
import { newId } from '../../lib/ids.ts'
import { followTeam } from '../following/follow-team.ts'
import { moveRuns } from '../move-runs.ts'
import { workOnTeam } from './work-runs.ts'

/** What somebody who had not built the engine broke. */
let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const given = () => givenSendingEngine(database.db)

test('two triggers of a contact in one page begin one run each, if the automation restarts', async () => {
  const engine = await given()
  await engine.activate(chainOf(onEvent('go'), ['wait', 'delay', { duration: '1 day' }], ['end', 'exit']), {
    settings: { on_retrigger: 'restart' },
  })
  const [id = ''] = await engine.contacts(1)
  await engine.report('go', id)
  await engine.report('go', id)
  await engine.work()
  await engine.expectOutcomes({ canceled: 1, active: 1 })
})

test('a cycle of a minute goes on after a pause of a day', async () => {
  const engine = await given()
  const graph = chainOf(
    onEvent('go'),
    ['wait', 'delay', { duration: '1 minute' }],
    ['known', 'condition', { type: 'rule', field: 'contact.first_name', operator: 'exists' }],
    ['end', 'exit'],
  )
  graph.connections.push({ from: 'known', to: 'wait', type: 'condition_not_met' })
  await engine.activate(graph)
  const [id = ''] = await engine.contacts(1)
  await engine.report('go', id)
  await engine.work()
  engine.later(24)
  await engine.work()
  await engine.expectOutcomes({ active: 1 })
})

test('a run is not resumed by its own change', async () => {
  const engine = await given()
  const graph = chainOf(
    onEvent('go'),
    ['set', 'contact_update', { first_name: 'Ann' }],
    ['wait', 'wait_for_event', { event_name: 'contact.updated', timeout: '1 day' }],
    ['send', 'send_email', engine.email],
  )
  const back = { from: 'send', to: 'set', type: 'default' }
  const cycle = { ...graph, connections: [...graph.connections, back] }
  await expect(engine.activate(cycle)).rejects.toThrow('closes a cycle without a wait')
  await engine.activate(graph)
  const [id = ''] = await engine.contacts(1)
  await engine.report('go', id)
  await engine.work()
  expect(engine.sent).toEqual([])
  await engine.expectOutcomes({ active: 1 })
})

test('an exit that came just before a delay ended is heard', async () => {
  const engine = await given()
  await engine.activate(
    chainOf(
      onEvent('go'),
      ['wait', 'delay', { duration: '1 day' }],
      ['mail', 'send_email', engine.email],
      ['more', 'delay', { duration: '1 day' }],
      ['mail2', 'send_email', engine.email],
    ),
    { settings: { exits: [{ event_name: 'paid' }] } },
  )
  const [id = ''] = await engine.contacts(1)
  await engine.report('go', id)
  await engine.work()
  engine.later(24)
  await engine.report('paid', id)
  // The feed is behind: another process, or a long page of events.
  await workOnTeam(engine.deps, engine.teamId)
  await engine.work()
  engine.later(24)
  await engine.work()
  await engine.expectOutcomes({ exited: 1 })
})

test('a run that is moved to another version while its email is accepted goes on there', async () => {
  const engine = await given()
  const graph = chainOf(
    onEvent('go'),
    ['wait', 'delay', { duration: '1 day' }],
    ['mail', 'send_email', engine.email],
    ['rest', 'delay', { duration: '1 day' }],
  )
  const { id } = await engine.activate(graph)
  const [contactId = ''] = await engine.contacts(1)
  await engine.report('go', contactId)
  await engine.work()
  await engine.change(id, { settings: { max_late: '2 days' } })
  engine.later(24)
  await workOnTeam(engine.deps, engine.teamId)
  const deps = {
    ...engine.deps,
    acceptEmails: (async (...given) => {
      await database.db.transaction((tx) =>
        moveRuns(tx, engine.teamId, id, { fromVersion: 1, isDryRun: false }),
      )
      return engine.deps.acceptEmails(...given)
    }) as typeof engine.deps.acceptEmails,
  }
  await workOnTeam(deps, engine.teamId)
  await engine.work()
  expect((await engine.runs()).map(({ version }) => version)).toEqual([2])
})

test('automations that begin otherwise now do not keep others from their dates', async () => {
  const engine = await given()
  await database.db.query(
    `insert into property (team_id, id, key, type, created_at, updated_at) values ($1, $2, 'born', 'date', now(), now())`,
    [engine.teamId, newId()],
  )
  const dated = () =>
    chainOf(['start', 'trigger', { type: 'date', property: 'born', repeat: 'yearly' }], ['end', 'exit'])
  for (let no = 0; no < 20; no++) {
    const { id } = await engine.activate(dated())
    await engine.change(id, chainOf(onEvent('go'), ['end', 'exit']))
  }
  const { id } = await engine.activate(dated())
  engine.later(1)
  await engine.work()
  const rows = await database.db.query<{ checkedUntil: Date }>(
    'select checked_until from automation_clock where automation_id = $1',
    [id],
  )
  expect(rows[0]?.checkedUntil).toEqual(engine.at())
})

test('a run that is moved to another version while it is leased goes on', async () => {
  const engine = await given()
  const { id } = await engine.activate(
    chainOf(
      onEvent('go'),
      ['wait', 'delay', { duration: '1 day' }],
      ['rest', 'delay', { duration: '1 day' }],
    ),
  )
  const [contactId = ''] = await engine.contacts(1)
  await engine.report('go', contactId)
  await engine.work()
  await engine.change(id, { settings: { max_late: '2 days' } })
  engine.later(24)
  const { plans } = engine.deps
  const find = plans.find.bind(plans)
  plans.find = async (...args) => {
    const found = await find(...args)
    plans.find = find
    await database.db.transaction((tx) =>
      moveRuns(tx, engine.teamId, id, { fromVersion: 1, isDryRun: false }),
    )
    return found
  }
  await workOnTeam(engine.deps, engine.teamId)
  await engine.expectOutcomes({ active: 1 })
})

test('a digest counts what it no longer keeps', async () => {
  const engine = await given()
  await engine.activate(
    chainOf(
      onEvent('go'),
      ['digest', 'digest', { duration: '1 hour' }],
      ['mail', 'send_email', engine.email],
    ),
  )
  const [contactId = ''] = await engine.contacts(1)
  for (let no = 0; no < 130; no++) await engine.report('go', contactId, { no })
  await engine.work()
  engine.later(1)
  await engine.work()
  const [run] = await engine.runs()
  expect(run?.payload.digest_count).toBe(130)
})

test('runs of another trigger that are moved to transactional email fail', async () => {
  const engine = await given()
  const listId = newId()
  await database.db.query(
    `insert into list (team_id, id, name, created_at, updated_at) values ($1, $2, 'L', now(), now())`,
    [engine.teamId, listId],
  )
  const { id } = await engine.activate(
    chainOf(
      ['start', 'trigger', { type: 'contact_updated' }],
      ['wait', 'delay', { duration: '1 day' }],
      ['mail', 'send_email', engine.email],
    ),
  )
  const [contactId = ''] = await engine.contacts(1)
  await updateContact(database.db, engine.teamId, contactId, { firstName: 'A' }, engine.at())
  await engine.work()
  await engine.change(
    id,
    chainOf(
      onEvent('go'),
      ['wait', 'delay', { duration: '1 day' }],
      ['mail', 'send_email', { ...engine.email, class: 'transactional' }],
    ),
  )
  const moved = await database.db.transaction((tx) =>
    moveRuns(tx, engine.teamId, id, { fromVersion: 1, isDryRun: false }),
  )
  expect(moved.moved).toBe(1)
  engine.later(24)
  await engine.work()
  expect(engine.sent).toEqual([])
  await engine.expectOutcomes({ failed: 1 })
})

test('an email that was held for too long is skipped', async () => {
  const engine = await given()
  await engine.activate(chainOf(onEvent('go'), ['mail', 'send_email', engine.email]), {
    settings: { max_late: '1 hour' },
  })
  const [contactId = ''] = await engine.contacts(1)
  await engine.report('go', contactId)
  let isHeld = true
  const deps = {
    ...engine.deps,
    acceptEmails: (async (items, ...rest) =>
      isHeld
        ? {
            emailIds: [],
            refused: items.map((_: unknown, index: number) => ({
              index,
              message: 'Quota.',
              code: 'quota' as never,
            })),
          }
        : engine.deps.acceptEmails(items, ...rest)) as typeof engine.deps.acceptEmails,
  }
  await followTeam(deps, engine.teamId)
  for (let turn = 0; turn < 6; turn++) {
    await workOnTeam(deps, engine.teamId)
    engine.later(0.6)
  }
  isHeld = false
  await workOnTeam(deps, engine.teamId)
  expect(engine.sent).toEqual([])
})

test('two waits in a row hear what came before them', async () => {
  const engine = await given()
  const { id } = await engine.activate(
    chainOf(
      onEvent('go'),
      [
        'known',
        'condition',
        { type: 'not', rule: { type: 'rule', field: 'contact.first_name', operator: 'exists' } },
      ],
      ['w1', 'wait_for_event', { event_name: 'a' }],
      ['w2', 'wait_for_event', { event_name: 'b' }],
      ['end', 'exit'],
    ),
  )
  const [contactId = ''] = await engine.contacts(1)
  await engine.report('go', contactId)
  await followTeam(engine.deps, engine.teamId)
  await engine.change(id, { status: 'paused' })
  await engine.work()
  await engine.report('a', contactId)
  await engine.report('b', contactId)
  await engine.work()
  await engine.change(id, { status: 'active' })
  engine.later(1)
  await engine.work()
  await engine.expectOutcomes({ exited: 1 })
})

test('the dates of a pause are left out', async () => {
  const engine = await given()
  const propertyId = newId()
  await database.db.query(
    `insert into property (team_id, id, key, type, created_at, updated_at) values ($1, $2, 'born', 'date', now(), now())`,
    [engine.teamId, propertyId],
  )
  const { id } = await engine.activate(
    chainOf(['start', 'trigger', { type: 'date', property: 'born', repeat: 'yearly' }], ['end', 'exit']),
  )
  const [contactId = ''] = await engine.contacts(1)
  await database.db.query(
    `insert into contact_value (team_id, contact_id, property_id, date_value) values ($1, $2, $3, '1990-03-15')`,
    [engine.teamId, contactId, propertyId],
  )
  await engine.change(id, { status: 'paused' })
  engine.later(24 * 60)
  await engine.change(id, { status: 'active' })
  await engine.work()
  await engine.expectOutcomes({})
})

test('the payload of a cycle is bounded', async () => {
  const engine = await given()
  const graph = chainOf(
    onEvent('go'),
    ['w', 'wait_for_event', { event_name: 'a', timeout: '1 day' }],
    ['d', 'delay', { duration: '1 minute' }],
  )
  graph.connections.push({ from: 'd', to: 'w', type: 'default' })
  await engine.activate(graph)
  const [contactId = ''] = await engine.contacts(1)
  await engine.report('go', contactId)
  await engine.work()
  for (let no = 0; no < 20; no++) {
    await engine.report('a', contactId, { [`k${no}`]: 'x'.repeat(30_000) })
    await engine.work()
    engine.later(0.1)
    await engine.work()
  }
  const [run] = await engine.runs()
  expect(JSON.stringify(run?.payload).length).toBeLessThan(100_000)
})

test('a slow resumption does not keep others waiting', async () => {
  const engine = await given()
  for (let no = 0; no < 101; no++) {
    const { id } = await engine.activate(
      chainOf(onEvent(`go${no}`), ['d', 'delay', { duration: '1 hour' }], ['end', 'exit']),
      { settings: { resume_rate: no === 100 ? 600 : 1 } },
    )
    const ids = await engine.contacts(no === 100 ? 1 : 3)
    for (const contactId of ids) await engine.report(`go${no}`, contactId)
    await engine.work()
    await engine.change(id, { status: 'paused' })
  }
  engine.later(1)
  await engine.work()
  await database.db.query(`update automation set status = 'active' where team_id = $1`, [engine.teamId])
  await engine.work()
  const rows = await database.db.query<{ n: number }>(
    `select count(*)::int4 as n from automation_run r join automation a on a.id = r.automation_id and a.team_id = r.team_id where r.team_id = $1 and r.state = 'parked' and (a.settings->>'resume_rate')::int = 600`,
    [engine.teamId],
  )
  expect(rows).toEqual([{ n: 0 }])
})

test('a run fails at a condition on a segment that was deleted, instead of taking everybody for no member', async () => {
  const engine = await givenSegment(database.db)
  const isNoVip = { type: 'not', rule: { type: 'segment', segment_id: engine.segmentId } }
  await engine.activate(
    chainOf(
      onEvent('go'),
      ['wait', 'delay', { duration: '1 day' }],
      ['known', 'condition', isNoVip],
      ['mail', 'send_email', engine.email],
    ),
  )
  const [contactId = ''] = await engine.contacts(1)
  await engine.report('go', contactId)
  await engine.work()
  await database.db.query('delete from segment where team_id = $1', [engine.teamId])
  engine.later(24)
  await engine.work()
  expect(engine.sent).toEqual([])
  expect(await engine.runs()).toMatchObject([
    { outcome: 'failed', reason: 'A segment in its rule was deleted.' },
  ])
})
