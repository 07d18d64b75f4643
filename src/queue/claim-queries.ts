import { arrays } from '../db/arrays.ts'
import type { Db, Tx } from '../db/db-types.ts'
import { classOf } from './mail-class.ts'
import {
  type Choice,
  type ChoiceLimits,
  DESTINATIONS_MAX,
  type DestinationKey,
  FIRST_ID,
  ReadyDestinations,
} from './ready-destinations.ts'
import { Survey } from './survey.ts'
import type { DueDelivery } from './types.ts'

/** Time from the last extension to the end of a lease; then other processes may claim a dead process's work. */
export const LEASE_MS = 60_000

export interface ClaimRequest {
  nodeId: string
  now: Date
  countMax: number
  /** Destinations that are paused, full or backing off: claims skip their rows. */
  domainsToSkip: readonly string[]
  /** Stricter limits on the bulk mail among them. Absent: none. */
  bulk?: { countMax: number; domainsToSkip: readonly string[] }
  /** This process's knowledge of the queue; updated in place. */
  round: ClaimRound
}

/** Where the round over teams, and within each team over its destinations, continues. */
export interface ClaimRound {
  destinations: ReadyDestinations
  survey: Survey
  /** A slice of the survey that runs beside the claims; null when there is none. */
  slice: Promise<void> | null
  /** The error of the last slice, which the next claim throws. */
  failure: unknown
  /** The last claim saw ready rows but got none: another process was claiming the same rows. */
  contended: boolean
  /** Called when the survey found destinations that claims did not know. */
  onFound(): void
}

/** @param destinationsMax the most destinations to remember */
export function newRound(onFound: () => void = () => {}, destinationsMax = DESTINATIONS_MAX): ClaimRound {
  const destinations = new ReadyDestinations(destinationsMax)
  return {
    destinations,
    survey: new Survey(destinations),
    slice: null,
    failure: null,
    contended: false,
    onFound,
  }
}

/**
 * A pool for claims, in which the survey's statements run beside theirs. It uses generic plans from the start: no plan
 * depends on a value, and planning over all partitions takes longer than a claim.
 */
export const CLAIM_POOL = { connectionsMax: 2, isPlannedOnce: true } as const

/**
 * Opens that pool's connections and plans the claim statements, so that the first claim takes no longer than others.
 */
export async function prepareClaims(db: Db): Promise<void> {
  const prepare = async (tx: Tx) => {
    const none = { destinations: [], share: 0, bulkShare: 0 }
    await tx.query(CLAIM, valuesOf(none, { countMax: 0, leasedUntil: EPOCH, nodeId: FIRST_ID, now: EPOCH }))
    await Survey.prepare(tx)
  }
  await Promise.all(Array.from({ length: CLAIM_POOL.connectionsMax }, () => db.transaction(prepare)))
}

const EPOCH = new Date(0)

/** Teams served by one claim; the next claim continues after the last of them. */
const TEAMS_PER_CLAIM_MAX = 64
/** Scans of one claim that finds nothing: survey slices, or destinations that other processes emptied. */
const SCANS_MAX = 32

/**
 * Claims up to `countMax` ready deliveries, fairly: teams in turn, and within each team its destinations in turn. A
 * team's transactional mail goes before its bulk mail, which gets a twentieth in any case. This process remembers which
 * destinations have ready rows, and from which row on (ready-destinations.ts), and keeps that up to date (survey.ts).
 * The cost of a claim grows neither with the backlog nor with past claims: index entries of claimed rows stay until no
 * open transaction can see them, which takes hours beside a long dump, and a claim skips them by starting after them.
 *
 * The claim leaves no transaction open.
 */
export async function claimDue(db: Db, request: ClaimRequest): Promise<DueDelivery[]> {
  const { round } = request
  throwFailure(round)
  await round.survey.readNews(db, request.now)
  const limits = limitsOf(request)
  let claimed: DueDelivery[] = []
  for (let look = 1; look <= SCANS_MAX && claimed.length === 0; look++) {
    const choice = round.destinations.choose(limits)
    if (choice.destinations.length > 0) {
      claimed = await claimFrom(db, request, choice)
      if (round.contended) break
    } else if (round.survey.isAwaited) await round.survey.readSlice(db)
    else break
  }
  surveyBeside(db, round)
  return claimed
}

function limitsOf({ countMax, domainsToSkip, bulk }: ClaimRequest): ChoiceLimits {
  const skipped = new Set(domainsToSkip)
  const skippedBulk = new Set(bulk?.domainsToSkip)
  const bulkCountMax = Math.min(countMax, bulk?.countMax ?? countMax)
  return {
    countMax,
    bulkCountMax,
    teamsMax: TEAMS_PER_CLAIM_MAX,
    // Without room for bulk mail all of it is skipped, so that its destinations never fill the memory for others.
    isSkipped: (domain, isBulk) =>
      skipped.has(domain) || (isBulk && (bulkCountMax === 0 || skippedBulk.has(domain))),
  }
}

function throwFailure(round: ClaimRound): void {
  const { failure } = round
  round.failure = null
  if (failure !== null) throw failure
}

/** Starts the next slice of a survey while claims continue. */
function surveyBeside(db: Db, round: ClaimRound): void {
  if (round.slice !== null || !round.survey.isOpen) return
  round.slice = round.survey
    .readSlice(db)
    .then((foundCount) => {
      if (foundCount > 0 || round.survey.isOpen) round.onFound()
    })
    .catch((error: unknown) => {
      round.failure = error
    })
    .finally(() => {
      round.slice = null
    })
}

async function claimFrom(db: Db, request: ClaimRequest, choice: Choice): Promise<DueDelivery[]> {
  const leasedUntil = new Date(request.now.getTime() + LEASE_MS)
  const values = valuesOf(choice, { ...request, leasedUntil })
  const rows = await db.query<ClaimedRow | SeenRow>(CLAIM, values)
  const seen = rows.filter((row) => row.place !== null)
  const claimed = rows.filter((row) => row.place === null)
  moveOn(request.round, choice, seen, claimed)
  request.round.contended = claimed.length === 0 && seen.length > 0
  return claimed.map((row) => asDue(row, leasedUntil.getTime(), request.now.getTime()))
}

function valuesOf(
  { destinations, share, bulkShare }: Choice,
  {
    countMax,
    leasedUntil,
    nodeId,
    now,
  }: Pick<ClaimRequest, 'countMax' | 'nodeId' | 'now'> & { leasedUntil: Date },
): unknown[] {
  return [
    arrays.uuid(destinations.map(({ teamId }) => teamId)),
    arrays.text(destinations.map(({ domain }) => domain)),
    arrays.text(destinations.map(({ from }) => from.dueAt)),
    arrays.uuid(destinations.map(({ from }) => from.emailId)),
    arrays.int4(destinations.map(({ rowsMax }) => rowsMax)),
    share,
    countMax,
    leasedUntil,
    nodeId,
    now,
    arrays.bool(destinations.map(({ isBulk }) => isBulk)),
    arrays.int4(destinations.map(({ bulkFirst }) => bulkFirst)),
    bulkShare,
  ]
}

/**
 * The next claim starts at the first row that this one saw, which may not be ours: another process's claim that locks
 * it may roll back. A destination that was seen completely is forgotten until there is news of it.
 */
function moveOn(
  { destinations }: ClaimRound,
  choice: Choice,
  seen: readonly SeenRow[],
  claimed: readonly ClaimedRow[],
): void {
  const isFull = destinations.isFull
  const seenAt = new Map(seen.map((row) => [row.place, row]))
  const claimedCounts = new Map<string, number>()
  for (const row of claimed) claimedCounts.set(keyText(row), (claimedCounts.get(keyText(row)) ?? 0) + 1)
  for (const [index, destination] of choice.destinations.entries()) {
    const row = seenAt.get(index + 1)
    const isAll =
      row === undefined ||
      (row.seenCount < destination.rowsMax && row.seenCount === claimedCounts.get(keyText(destination)))
    if (isFull || isAll) destinations.forget(destination)
    else destinations.moveOn(destination, { dueAt: row.firstDueAt, emailId: row.emailId })
  }
}

const keyText = ({ teamId, isBulk, domain }: DestinationKey) => `${teamId}/${classOf(isBulk)}/${domain}`

/**
 * For PostgreSQL only (LATERAL with FOR UPDATE): the oldest ready rows of each destination, then a round-robin over
 * teams and destinations, in which a team's transactional rows go first, except for its first `bulk_first` bulk rows.
 * Rows with a `place` tell how much of the destination at that place was seen; the others are the claimed rows.
 */
const CLAIM = `
with candidate as (
  select p.place, p.team_id, p.bulk, p.domain, p.bulk_first, row.email_id, row.no, row.due_at,
    row_number() over (partition by p.place order by row.due_at, row.email_id) as turn,
    count(*) over (partition by p.place) as seen_count
  from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::int4[], $11::bool[], $12::int4[]) with ordinality
    as p (team_id, domain, from_due_at, from_email_id, rows_max, bulk, bulk_first, place)
  cross join lateral (
    select d.email_id, d.no, d.due_at
    from delivery d
    where d.team_id = p.team_id and d.bulk = p.bulk and d.domain = p.domain and d.ready
      and (d.due_at, d.email_id) >= (p.from_due_at::timestamptz, p.from_email_id)
    order by d.due_at, d.email_id
    limit p.rows_max
  ) row
),
ranked as (
  select c.*, row_number() over (partition by c.team_id, c.bulk order by c.turn, c.domain) as class_turn
  from candidate c
),
picked as (
  select c.team_id, c.email_id, c.no, c.place
  from (
    select c.team_id, c.email_id, c.no, c.place,
      row_number() over (
        partition by c.team_id
        order by case when not c.bulk then 1 when c.class_turn <= c.bulk_first then 0 else 2 end, c.class_turn
      ) as team_turn
    from ranked c
    where not c.bulk or c.class_turn <= $13
    order by team_turn
    limit $7
  ) c
  where c.team_turn <= $6
),
chosen as (
  select d.team_id, d.email_id, d.no
  from picked c
  join delivery d on d.team_id = c.team_id and d.email_id = c.email_id and d.no = c.no
  where d.ready
  for update of d skip locked
),
claimed as (
  update delivery d
  set ready = false, leased_until = $8, leased_by = $9, updated_at = $10
  from chosen c
  join email e on e.team_id = c.team_id and e.id = c.email_id
  where d.team_id = c.team_id and d.email_id = c.email_id and d.no = c.no
  returning d.team_id, d.email_id, d.no, d.address, d.address_key, d.domain, d.attempts, d.expires_at,
    e.domain_id, e.created_at, e.recipient_count, e.size, d.bulk as is_bulk
)
select null::int4 as place, null::int4 as seen_count, null as first_due_at, c.*
from claimed c
union all
select place::int4, seen_count::int4, due_at::text, null, email_id, null, null, null, null, null, null, null, null, null, null,
  null
from candidate
where turn = 1`

interface SeenRow {
  /** Index of the destination in the choice, from 1. */
  place: number
  seenCount: number
  firstDueAt: string
  emailId: string
}

interface ClaimedRow extends DueRow {
  place: null
}

/** A delivery with the fields of its email. */
export interface DueRow {
  teamId: string
  emailId: string
  no: number
  address: string
  addressKey: string
  domain: string
  attempts: number
  expiresAt: Date
  domainId: string
  createdAt: Date
  recipientCount: number
  size: number
  isBulk: boolean
}

export function asDue(row: DueRow, leasedUntilMs: number, checkedAtMs: number): DueDelivery {
  return {
    teamId: row.teamId,
    emailId: row.emailId,
    no: row.no,
    address: row.address,
    addressKey: row.addressKey,
    domain: row.domain,
    domainId: row.domainId,
    attempts: row.attempts,
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    recipientCount: row.recipientCount,
    isBulk: row.isBulk,
    sizeBytes: row.size,
    leasedUntilMs,
    checkedAtMs,
    message: null,
    tags: null,
  }
}
