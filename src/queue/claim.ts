import type { Db, Tx } from '../db/db-types.ts'
import { type ClaimOrder, claimFrom, prepareClaim, type SeenRow } from './claim-queries.ts'
import { classOf } from './mail-class.ts'
import {
  type Choice,
  type ChoiceLimits,
  DESTINATIONS_MAX,
  type DestinationKey,
  ReadyDestinations,
} from './ready-destinations.ts'
import { Survey } from './survey.ts'
import type { DueDelivery } from './types.ts'

export interface ClaimRequest extends ClaimOrder {
  /** Destinations that are paused, full or backing off: claims skip their rows. */
  domainsToSkip: readonly string[]
  /** Stricter limits for bulk mail, if there are any. */
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
    await prepareClaim(tx)
    await Survey.prepare(tx)
  }
  await Promise.all(Array.from({ length: CLAIM_POOL.connectionsMax }, () => db.transaction(prepare)))
}

/** Teams served by one claim; the next claim continues after the last of them. */
const TEAMS_PER_CLAIM_MAX = 64
/** Scans of one claim that finds nothing: survey slices, or destinations that other processes emptied. */
const SCANS_MAX = 32

/**
 * Claims up to `countMax` ready deliveries, fairly: teams in turn, and within each team its destinations in turn. A
 * team's transactional mail goes before its bulk mail, which always gets a twentieth. This process remembers which
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
  await round.survey.start(db)
  const limits = limitsOf(request)
  let claimed: DueDelivery[] = []
  for (let look = 1; look <= SCANS_MAX && claimed.length === 0; look++) {
    const choice = round.destinations.choose(limits)
    if (choice.destinations.length > 0) {
      claimed = await claimChosen(db, request, choice)
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
    // Without room for bulk mail, skip all of it, so that its destinations never fill the memory for others.
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

async function claimChosen(db: Db, request: ClaimRequest, choice: Choice): Promise<DueDelivery[]> {
  const { seen, claimed } = await claimFrom(db, choice, request)
  moveOn(request.round, choice, seen, claimed)
  request.round.contended = claimed.length === 0 && seen.length > 0
  return claimed
}

/**
 * The next claim starts at the first row that this one saw, which may not be ours: another process's claim that locks
 * it may roll back. A destination that was seen completely is forgotten until there is news of it.
 */
function moveOn(
  { destinations }: ClaimRound,
  choice: Choice,
  seen: readonly SeenRow[],
  claimed: readonly DueDelivery[],
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
