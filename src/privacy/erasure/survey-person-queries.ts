import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'
import { HAS_EMAIL, HAS_EMAIL_TOO } from './erase-traces-queries.ts'

/** The data that a team has about a person. */
export interface PersonTraces {
  teamId: string
  teamName: string
  contacts: number
  emails: number
  /** Emails among these that are not delivered yet. */
  openEmails: number
  sentEmails: number
  suppressions: number
  unsubscriptions: number
  /** Events of contacts and suppressions that contain the address, which may be all that is left of these. */
  events: number
}

const TEAMS = batchOf('id uuid, hash text')

/**
 * Returns what each team has about an address, by index. Teams without data are absent.
 * @param teams each with the hash of the address in that team
 */
export async function surveyPerson(
  db: Queryable,
  address: string,
  teams: readonly { id: string; hash: string }[],
): Promise<PersonTraces[]> {
  return db.query<PersonTraces>(
    `select *
     from (
       select t.id as team_id, t.name as team_name,
         (select count(*)::int4 from contact c where c.team_id = k.id and c.email = $1 and c.deleted_at is null)
           + (select count(*)::int4 from contact c where c.team_id = k.id and c.email = $1 and c.deleted_at is not null)
           as contacts,
         (select count(*)::int4 from delivery d where d.team_id = k.id and d.address_key = $1) as emails,
         (select count(*)::int4 from delivery d where d.team_id = k.id and d.address_key = $1 and d.due_at is not null)
           as open_emails,
         (select count(*)::int4 from email e where e.team_id = k.id and e.sender_address = $1) as sent_emails,
         (select count(*)::int4 from suppression s where s.team_id = k.id and s.email in ($1, k.hash)) as suppressions,
         (select count(*)::int4 from unsubscription u where u.team_id = k.id and u.email in ($1, k.hash))
           as unsubscriptions,
         (select count(*)::int4 from event e where e.team_id = k.id and e.data ->> 'email' = $1 and ${HAS_EMAIL})
           + (select count(*)::int4 from event e where e.team_id = k.id and e.data ->> 'email' = $1 and ${HAS_EMAIL_TOO})
           as events
       from unnest(${TEAMS.arraysFrom(2)}) as k (${TEAMS.names})
       join team t on t.id = k.id
     ) found
     where contacts + emails + sent_emails + suppressions + unsubscriptions + events > 0
     order by team_id`,
    [address, ...TEAMS.values(teams)],
  )
}
