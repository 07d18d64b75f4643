import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { AnswerCache } from '../../lib/async/answer-cache.ts'
import { isUuid } from '../../lib/ids.ts'
import type { AcceptRequest } from './accept-types.ts'
import type { KnownMessageIds } from './message-ids.ts'

const UUID_CHARS = 36

/** Returns the id of the email for which Sendwright may have made a Message-ID. */
function idIn(messageId: string): string | null {
  const start = messageId.slice(0, UUID_CHARS)
  return isUuid(start) ? start.toLowerCase() : null
}

const MESSAGE_IDS = batchOf('team_id uuid, id text, made_for uuid, email_id uuid', {
  made_for: ({ id }: { id: string }) => idIn(id),
})

const LOCK_MESSAGE_IDS = `select k.team_id, k.id
  from unnest(${MESSAGE_IDS.arrays}) as k (${MESSAGE_IDS.names})
  where exists (
    select from email e
    where e.team_id = k.team_id and e.message_id = k.id and not starts_with(e.message_id, e.id::text)
      -- A commit whose answer was lost may have written the email itself.
      and e.id <> k.email_id
  ) or exists (
    select from email e
    where e.team_id = k.team_id and e.id = k.made_for and e.message_id = k.id
  )`

/**
 * Locks the Message-IDs that requests gave until the transaction ends, and returns those that another email of their team
 * has, as `team/id`. An email whose Message-ID Sendwright made is found by the id in it.
 */
export async function lockMessageIds(tx: Tx, items: readonly AcceptRequest[]): Promise<Set<string>> {
  const messageIds = items.flatMap(({ submitter: { teamId }, submissions }) =>
    submissions.flatMap(({ emailId, ownMessageId }) =>
      ownMessageId === null ? [] : [{ teamId, emailId, id: ownMessageId.id }],
    ),
  )
  if (messageIds.length === 0) return new Set()
  const keys = [...new Set(messageIds.map(({ teamId, id }) => `${teamId}/${id}`))].sort()
  await tx.query(
    'select pg_advisory_xact_lock(hashtextextended(current_schema() || key, 0)) from unnest($1::text[]) as k (key)',
    [arrays.text(keys)],
  )
  const rows = await tx.query<{ teamId: string; id: string }>(
    LOCK_MESSAGE_IDS,
    MESSAGE_IDS.values(messageIds),
  )
  return new Set(rows.map(({ teamId, id }) => `${teamId}/${id}`))
}

/** Mailers name their own hosts in Message-IDs, so that the answer is nearly always the same. */
const CACHE_LIMITS = { keptMs: 5_000, countMax: 10_000 }

export function createKnownMessageIds(db: Queryable): KnownMessageIds {
  const allowed = new AnswerCache<boolean>(CACHE_LIMITS)
  return {
    mayUse({ teamId, domainId }, domain) {
      return allowed.get(`${teamId}/${domainId}/${domain}`, async () => {
        const [row] = await db.query<{ isThere: boolean }>(
          `select exists (
             select from verified_domain
             where team_id = $1 and name = $2 and ($3::uuid is null or domain_id = $3)
           ) as is_there`,
          [teamId, domain, domainId],
        )
        return row?.isThere === true
      })
    },
    async findSent({ teamId, domainId }, ids) {
      const rows = await db.query<{ given: string; sent: string }>(
        `select k.given, e.message_id as sent
         from unnest($2::text[], $4::uuid[]) as k (given, made_for)
         cross join lateral (
           select message_id
           from email
           where team_id = $1 and original_message_id = k.given and ($3::uuid is null or domain_id = $3)
           order by id desc
           limit 1
         ) e
         -- An email that was sent with exactly this id is the one that recipients know by it.
         where not exists (
           select from email s
           where s.team_id = $1 and s.message_id = k.given and not starts_with(s.message_id, s.id::text)
         ) and not exists (
           select from email s
           where s.team_id = $1 and s.id = k.made_for and s.message_id = k.given
         )`,
        [teamId, arrays.text([...ids]), domainId, arrays.uuid(ids.map(idIn))],
      )
      return new Map(rows.map((row) => [row.given, row.sent]))
    },
  }
}
