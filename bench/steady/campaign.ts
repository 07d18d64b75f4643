import { setTimeout as pause } from 'node:timers/promises'
import { CONTACT_COUNTER } from '../../src/audience/contacts/contacts-queries.ts'
import { bumpCounters } from '../../src/db/counters.ts'
import type { Db } from '../../src/db/db-types.ts'
import { type Call, createCaller } from '../support/caller.ts'
import { makeDraft } from '../support/message.ts'
import { readMemoryMb } from '../support/meter.ts'
import { domainOf, nowMs } from './mail-sites.ts'
import {
  checkAtLeast,
  checkAtMost,
  type Measured,
  type Outcome,
  type Size,
  type SteadyFigure,
} from './outcome.ts'
import { createWorld, type World } from './world.ts'

const CONTACTS = 1_000_000
const SITES = 20
/** Contacts of one statement. */
const FILL_COUNT = 50_000
const POLL_MS = 20
/** The end is looked for less often: each look is a request. */
const END_POLL_MS = 500
/** Emails accepted over HTTP, by as many requests as a campaign may have emails in the queue. */
const BATCHES = 50
const BATCH_COUNT = 100
const CONNECTIONS = 2
/** Most of the emails of a campaign that may wait in the queue. */
const ROOM_COUNT = 3000
const SAMPLE_MS = 1000
/** Fewer emails a second than any machine delivers. */
const DELIVERED_MIN = 100

const FIRST_MAX_MS = 5000
const SNAPSHOT_MIN = 50_000
const SHARE_MIN = 0.8
const GROWTH_MAX = 1.25

/** Inserts contacts of a team in one list, oldest first. */
async function fillContacts(db: Db, teamId: string, listId: string, count: number): Promise<void> {
  const firstMs = Date.now() - 3_600_000
  for (let from = 1; from <= count; from += FILL_COUNT) {
    await db.query(
      `with made as (
         insert into contact (team_id, id, email, first_name, unsubscribed, created_at, updated_at)
         select $1::uuid, (lpad(to_hex($3::int8 + n / 1000), 12, '0') || '7' || lpad(to_hex(n % 1000), 3, '0') || '8' ||
             substr(md5(n::text), 1, 15))::uuid,
           'person-' || n || '@site-' || n % ${SITES} || '.test', 'Ann', false, now(), now()
         from generate_series($4::int8, $5::int8) as n
         returning id
       )
       insert into list_member (team_id, list_id, contact_id, created_at)
       select $1, $2::uuid, id, now()
       from made`,
      [teamId, listId, firstMs, from, Math.min(count, from + FILL_COUNT - 1)],
    )
  }
  await bumpCounters(db, [{ teamId, name: CONTACT_COUNTER, by: count }])
  await db.query('analyze contact, list_member')
}

/** Accepts emails over HTTP, a hundred a request. Returns how many a second. */
async function measureBatches(call: Call, label: string, from: string): Promise<number> {
  const { html } = makeDraft(0)
  let next = 0
  const startedMs = nowMs()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < BATCHES) {
        const batch = next++
        const body = Array.from({ length: BATCH_COUNT }, (_, index) => ({
          from,
          subject: 'Hello Ann',
          html,
          class: 'bulk',
          to: `${label}-${batch}-${index}@${domainOf(index % SITES)}`,
        }))
        await call({ method: 'POST', path: '/emails/batch', body })
      }
    }),
  )
  return (BATCHES * BATCH_COUNT * 1000) / (nowMs() - startedMs)
}

/** Returns the emails accepted a second after the audience was complete, of the first that the queue surely had room for. */
async function readAcceptance(db: Db, id: string, since: Date): Promise<number> {
  const rows = await db.query<{ at: Date }>(
    `select updated_at as at
     from campaign_recipient
     where campaign_id = $1 and state = 'accepted' and updated_at >= $2
     order by updated_at
     limit $3`,
    [id, since, ROOM_COUNT],
  )
  const [first, last] = [rows[0]?.at.getTime() ?? Number.NaN, rows.at(-1)?.at.getTime() ?? Number.NaN]
  // The first batch took time before its own.
  return ((rows.length - BATCH_COUNT) * 1000) / (last - first)
}

interface Result {
  firstMs: number
  snapshotPerSecond: number
  batchPerSecond: number
  acceptedPerSecond: number
  deliveredPerSecond: number
  readMs: number
  memoryMb: number[]
}

async function measureCampaign(count: number, { progress }: Size): Promise<Result> {
  const world = await createWorld({ sitesCount: SITES, sendersCount: 1 })
  try {
    const [team] = world.teams
    const [sender] = world.senders
    if (team === undefined || sender === undefined) throw new Error('there is no team')
    const call = createCaller(world.product.port, sender.key)
    const shop = { name: 'Bench Shop', username: 'news', domain_id: team.domainId }
    const senderId = await create(call, '/senders', shop)
    const listId = await create(call, '/lists', { name: 'Everybody' })
    await fillContacts(world.openDatabase(), team.teamId, listId, count)
    await world.product.stop()
    await world.product.start()
    progress(`${count} contacts are there`)
    return await sendCampaign(world, call, { count, senderId, listId, from: sender.from, progress })
  } finally {
    await world.close()
  }
}

interface Plan extends Pick<Size, 'progress'> {
  count: number
  senderId: string
  listId: string
  from: string
}

const create = async (call: Call, path: string, body: unknown) =>
  (await call<{ id: string }>({ method: 'POST', path, body })).id

async function sendCampaign(world: World, call: Call, plan: Plan): Promise<Result> {
  const { count, progress } = plan
  const db = world.openDatabase()
  // The first requests of a process compile its code.
  await measureBatches(call, 'warm', plan.from)
  const batchPerSecond = await measureBatches(call, 'batch', plan.from)
  const ownCount = 2 * BATCHES * BATCH_COUNT
  await waitFor(() => world.sites.firstAttempts.size >= ownCount, ownCount)
  progress(`${Math.round(batchPerSecond)} emails a second in batches`)
  const id = await create(call, '/campaigns', {
    name: 'Spring',
    sender_id: plan.senderId,
    list_id: plan.listId,
    subject: 'Hello {{FIRST_NAME}}',
    html: makeDraft(0).html,
  })
  const path = `/campaigns/${id}`
  const memoryMb: number[] = []
  const sampling = setInterval(() => memoryMb.push(readMemoryMb(world.product.pid, 'VmRSS')), SAMPLE_MS)
  try {
    const startedMs = nowMs()
    await call({ method: 'PATCH', path, body: { status: 'sending' } })
    const { firstMs, snapshotMs } = await watchStart(world, db, id, startedMs, ownCount)
    const since = new Date()
    progress(`first delivery after ${Math.round(firstMs)} ms, audience after ${Math.round(snapshotMs)} ms`)
    await waitFor(
      async () => (await call<{ status: string }>({ method: 'GET', path })).status === 'sent',
      count,
      END_POLL_MS,
    )
    const seconds = (nowMs() - startedMs) / 1000
    const readAtMs = nowMs()
    await call({ method: 'GET', path })
    const readMs = nowMs() - readAtMs
    return {
      firstMs,
      batchPerSecond,
      memoryMb,
      readMs,
      snapshotPerSecond: (count * 1000) / snapshotMs,
      acceptedPerSecond: await readAcceptance(db, id, since),
      deliveredPerSecond: count / seconds,
    }
  } finally {
    clearInterval(sampling)
  }
}

/** Resolves to the times after `startedMs` of the first delivery and of the complete audience, in milliseconds. */
async function watchStart(world: World, db: Db, id: string, startedMs: number, ownCount: number) {
  let snapshotMs = 0
  await waitFor(async () => {
    const rows = await db.query<{ isDone: boolean }>(
      'select audience_done as is_done from campaign where id = $1',
      [id],
    )
    if (rows[0]?.isDone === true && snapshotMs === 0) snapshotMs = nowMs() - startedMs
    return snapshotMs > 0 && world.sites.firstAttempts.size > ownCount
  }, CONTACTS)
  const first = [...world.sites.firstAttempts.values()][ownCount] ?? Number.NaN
  return { firstMs: first - startedMs, snapshotMs }
}

/** Waits at most as long as the delivery of so many emails may take. */
async function waitFor(
  test: () => boolean | Promise<boolean>,
  count: number,
  pollMs = POLL_MS,
): Promise<void> {
  const endMs = nowMs() + 120_000 + (count / DELIVERED_MIN) * 1000
  while (!(await test())) {
    if (nowMs() > endMs) throw new Error('the campaign takes too long')
    await pause(pollMs)
  }
}

export const campaign: SteadyFigure = {
  name: 'campaign',
  title: 'A campaign to a million contacts',
  note:
    'A list has 1,000,000 contacts at 20 sites that accept at once. Times begin with the request that sends the campaign. Its ' +
    'acceptance is that of the first 3,000 emails after its audience is complete, for which its queue has room, beside `POST /emails/batch` ' +
    'with a hundred emails of the same content a request on two connections, just before.',
  async run(size): Promise<Outcome> {
    const result = await measureCampaign(Math.max(5000, Math.round(CONTACTS * size.scale)), size)
    const half = Math.ceil(result.memoryMb.length / 2)
    const [early, late] = [result.memoryMb.slice(0, half), result.memoryMb.slice(half)].map((part) =>
      Math.max(...part),
    )
    const measured: Measured[] = [
      { what: 'from the request to the first delivery', unit: 'ms', values: [result.firstMs] },
      { what: 'contacts read for the audience', unit: 'per s', values: [result.snapshotPerSecond] },
      {
        what: 'emails accepted of the campaign, with room',
        unit: 'per s',
        values: [result.acceptedPerSecond],
      },
      { what: 'emails accepted in batches (control)', unit: 'per s', values: [result.batchPerSecond] },
      { what: 'the whole campaign', unit: 'per s', values: [result.deliveredPerSecond] },
      { what: 'GET /campaigns/{id} at its end', unit: 'ms', values: [result.readMs] },
      { what: 'memory of the server', unit: 'MB', values: result.memoryMb },
    ]
    const share = result.acceptedPerSecond / result.batchPerSecond
    const verdicts = [
      checkAtMost(`first delivery ≤ ${FIRST_MAX_MS} ms`, result.firstMs, FIRST_MAX_MS, 'ms'),
      checkAtLeast(
        `audience ≥ ${SNAPSHOT_MIN.toLocaleString('en-US')} per s`,
        result.snapshotPerSecond,
        SNAPSHOT_MIN,
        'per s',
      ),
      checkAtLeast(`acceptance ≥ ${SHARE_MIN} × batches`, share, SHARE_MIN, '×'),
      checkAtMost(`memory: second half ≤ ${GROWTH_MAX} × first`, (late ?? 0) / (early ?? 1), GROWTH_MAX, '×'),
    ]
    return { measured, verdicts }
  },
}
