import { randomBytes } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Db } from '../../db/db-types.ts'
import { sqlState } from '../../db/sqlstate.ts'
import { loadLargeMessage } from '../../emails/rows/messages-queries.ts'
import { firstIdAt, newId } from '../../lib/ids.ts'
import { joinInTurns } from '../../lib/octets.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findNewestDictionary, insertDictionary } from '../dictionaries-queries.ts'
import { bodyContext, deriveBodyKey, KEY_BYTES } from '../pack/body-cipher.ts'
import { groupByRecipient } from '../pack/make-dictionary.ts'
import type { Messages } from '../pack/pack-jobs.ts'
import { workOnPack } from '../pack/work-on-pack.ts'
import { type BodyStore, objectName } from '../store/body-store.ts'
import { DICTIONARY_USED_MS } from './collect.ts'
import type { DamagedBodies } from './damaged-bodies.ts'
import {
  type BodyCandidate,
  type BodyToPack,
  commitPack,
  insertPack,
  listCandidates,
  loadBodies,
  type PlacedBody,
} from './packing-queries.ts'

/** What one pack has at most, unless a single message is larger. */
const BODIES_MAX = 500
const BYTES_MAX = 4 * 1024 * 1024
/** A larger message has a pack of its own, so that no more than this is in memory beside it. */
const LARGE_BYTES_MIN = 1024 * 1024
const SCAN_MAX = 1000
/** With fewer emails, a dictionary would cost more than it saves. */
const DICTIONARY_EMAILS_MIN = 32
const SAMPLES_MAX = 64
const SAMPLE_STORED_MAX = 64 * 1024
/** How long the store may take for one pack, besides the time of its bytes. */
const STORE_MS = 30_000
const STORE_BYTES_PER_MS = 500

export interface PackDeps {
  db: Db
  clock: Clock
  store: BodyStore
  /** Derived for `BODIES`. */
  key: Buffer
  damaged: DamagedBodies
  /** The age at which bodies move. */
  afterMs: number
  /** Called after each pack. Must not throw. */
  onPacked(packed: { bodies: number; plainBytes: number; bytes: number }): void
  isStopping(): boolean
  /** Waits before the next pack, to leave the database and the processor to others. */
  rest(sinceMs: number): Promise<void>
}

/** Returns the first id that is too young to be packed. */
function packBefore({ clock, afterMs }: Pick<PackDeps, 'clock' | 'afterMs'>): string {
  return firstIdAt(new Date(Math.max(0, clock.now().getTime() - afterMs)))
}

/**
 * Moves the bodies of a team's settled emails into packs. What does not fill a pack waits until its oldest email is twice
 * as old as it must be.
 */
export async function packTeam(deps: PackDeps, teamId: string): Promise<void> {
  const before = packBefore(deps)
  const overdue = packBefore({ ...deps, afterMs: 2 * deps.afterMs })
  let after: string | null = firstIdAt(new Date(0))
  let waiting: BodyCandidate[] = []
  while (after !== null && !deps.isStopping()) {
    const page: BodyCandidate[] = await listCandidates(deps.db, teamId, { after, before }, SCAN_MAX)
    const settled = page.filter(({ isSettled, emailId }) => isSettled && !deps.damaged.skipKnown(emailId))
    const { full, rest } = splitIntoPacks([...waiting, ...settled])
    for (const pack of full) {
      if (deps.isStopping()) return
      await packInTurn(deps, teamId, pack)
    }
    waiting = rest
    after = page.length < SCAN_MAX ? null : (page.at(-1)?.emailId ?? null)
  }
  const [oldest] = waiting
  if (oldest !== undefined && oldest.emailId < overdue && !deps.isStopping()) {
    await packInTurn(deps, teamId, waiting)
  }
}

/** Divides emails into packs that are full, and the rest. */
function splitIntoPacks(candidates: readonly BodyCandidate[]): {
  full: BodyCandidate[][]
  rest: BodyCandidate[]
} {
  const full: BodyCandidate[][] = []
  let rest: BodyCandidate[] = []
  let bytes = 0
  for (const candidate of candidates) {
    if (candidate.bytes >= LARGE_BYTES_MIN) {
      full.push([candidate])
      continue
    }
    rest.push(candidate)
    bytes += candidate.bytes
    if (rest.length < BODIES_MAX && bytes < BYTES_MAX) continue
    full.push(rest)
    rest = []
    bytes = 0
  }
  return { full, rest }
}

async function packInTurn(
  deps: PackDeps,
  teamId: string,
  candidates: readonly BodyCandidate[],
): Promise<void> {
  const sinceMs = performance.now()
  await packBodies(deps, teamId, candidates)
  await deps.rest(sinceMs)
}

/**
 * Writes one pack. The order makes every body readable, whatever dies when: a row says that an object will exist; the object
 * is written, read back and compared; a transaction moves the contents.
 */
async function packBodies(
  deps: PackDeps,
  teamId: string,
  candidates: readonly BodyCandidate[],
): Promise<void> {
  const { db, clock, store, damaged, onPacked } = deps
  const bodies = await readBodies(deps, teamId, candidates)
  const [first, last] = [bodies[0], bodies.at(-1)]
  if (first === undefined || last === undefined) return
  const dictionary = await chooseDictionary(deps, teamId, bodies)
  const keys = bodies.map(() => randomBytes(KEY_BYTES))
  const { object, lengths, plainBytes, damage } = await workOnPack('pack', teamId, {
    messages: await joinMessages(bodies),
    keys: keys.map((rowKey) => deriveBodyKey(deps.key, rowKey)),
    contexts: bodies.map(({ emailId }) => bodyContext({ teamId, emailId })),
    dictionary: dictionary?.content ?? null,
  })
  const places: PlacedBody[] = []
  let start = 0
  for (const [index, { emailId }] of bodies.entries()) {
    const bytes = lengths[index] ?? null
    if (bytes === null) {
      damaged.add({ teamId, emailId, error: damage })
      continue
    }
    places.push({ emailId, start, bytes, key: keys[index] as Buffer })
    start += bytes
  }
  if (places.length === 0) return
  const id = newId(clock.now().getTime())
  const range = { firstEmailId: first.emailId, lastEmailId: last.emailId }
  const pack = { teamId, id, dictionaryId: dictionary?.id ?? null, ...range, bytes: object.length }
  await insertPack(db, pack, clock.now())
  await writeAndCompare(store, objectName(teamId, id), object)
  const count = await commitPack(db, pack, places, clock.now())
  onPacked({ bodies: count, plainBytes, bytes: object.length })
}

/** Returns the bodies of these emails without those that the database cannot read. */
async function readBodies(
  deps: PackDeps,
  teamId: string,
  candidates: readonly BodyCandidate[],
): Promise<BodyToPack[]> {
  try {
    return await loadTogether(deps.db, teamId, candidates)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    const [only] = candidates
    if (candidates.length === 1 && only !== undefined) {
      deps.damaged.add({ teamId, emailId: only.emailId, error })
      return []
    }
  }
  // The error does not say which one it is.
  const bodies: BodyToPack[] = []
  for (const candidate of candidates) bodies.push(...(await readBodies(deps, teamId, [candidate])))
  return bodies
}

/** Returns whether PostgreSQL says that its files are damaged (data_corrupted, index_corrupted). */
function isUnreadable(error: unknown): boolean {
  return /^XX00[12]$/.test(sqlState(error) ?? '')
}

async function loadTogether(
  db: Db,
  teamId: string,
  candidates: readonly BodyCandidate[],
): Promise<BodyToPack[]> {
  const [only] = candidates
  if (candidates.length !== 1 || only === undefined || only.bytes < LARGE_BYTES_MIN) {
    return loadBodies(
      db,
      teamId,
      candidates.map(({ emailId }) => emailId),
    )
  }
  const { emailId } = only
  const large = await loadLargeMessage(db, { teamId, emailId })
  if (large === undefined) return []
  return [{ emailId, encoding: large.encoding, message: large.message, recipients: [] }]
}

async function joinMessages(bodies: readonly BodyToPack[]): Promise<Messages> {
  return {
    each: bodies.map(({ encoding, message }) => ({ encoding, bytes: message.length })),
    octets: await joinInTurns(bodies.map(({ message }) => message)),
  }
}

/** Returns the newest dictionary of the team, or makes one from these emails if they are enough. */
async function chooseDictionary(
  { db, clock }: PackDeps,
  teamId: string,
  bodies: readonly BodyToPack[],
): Promise<{ id: string; content: Buffer } | null> {
  const now = clock.now()
  const found = await findNewestDictionary(db, teamId, new Date(now.getTime() - DICTIONARY_USED_MS))
  if (found !== null) return { id: found.id, content: zstdDecompressSync(found.content) }
  if (bodies.length < DICTIONARY_EMAILS_MIN) return null
  const samples = chooseSamples(bodies)
  const content = await workOnPack('dictionary', teamId, {
    messages: {
      each: samples.map(({ encoding, message }) => ({ encoding, bytes: message.length })),
      octets: Buffer.concat(samples.map(({ message }) => message)),
    },
    groups: groupByRecipient(samples.map(({ recipients }) => recipients)),
  })
  if (content === null) return null
  const id = newId(now.getTime())
  await insertDictionary(db, { teamId, id, content: zstdCompressSync(content), createdAt: now })
  return { id, content }
}

/** Returns some of the emails, spread over all. */
function chooseSamples(bodies: readonly BodyToPack[]): BodyToPack[] {
  const small = bodies.filter(({ message }) => message.length <= SAMPLE_STORED_MAX)
  const step = Math.max(1, small.length / SAMPLES_MAX)
  const count = Math.min(small.length, SAMPLES_MAX)
  return Array.from({ length: count }, (_, index) => small[Math.floor(index * step)] as BodyToPack)
}

/**
 * Writes an object. Rejects unless the store then returns the same bytes. It must be the same store all the time: below the
 * place of a file system that is no longer mounted, a file can be written and read, too.
 */
async function writeAndCompare(store: BodyStore, name: string, object: Buffer): Promise<void> {
  const limit = () => AbortSignal.timeout(STORE_MS + Math.round(object.length / STORE_BYTES_PER_MS))
  await store.recognize(false, limit())
  await store.write(name, object, limit())
  // Before the object is read: what was written elsewhere is not where this is.
  await store.recognize(false, limit())
  const back = await store.read(name, 0, object.length, limit())
  if (!back.equals(object)) throw new Error(`The store returned other bytes than were written to ${name}.`)
}
