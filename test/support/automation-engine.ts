import { expect } from 'vitest'
import { changeAutomation, createAutomation } from '../../src/automations/automations.ts'
import { Failing } from '../../src/automations/following/failing.ts'
import { followDates } from '../../src/automations/following/follow-dates.ts'
import { followTeam } from '../../src/automations/following/follow-team.ts'
import { readSegments, rereadSegments } from '../../src/automations/following/read-segments.ts'
import { sweepSegments } from '../../src/automations/following/sweep-segments.ts'
import { reportEvent } from '../../src/automations/reported/report-event.ts'
import type { AutomationRun } from '../../src/automations/rows/runs-queries.ts'
import { Plans } from '../../src/automations/running/plans.ts'
import { resumeParked } from '../../src/automations/working/resume-parked.ts'
import { workOnTeam } from '../../src/automations/working/work-runs.ts'
import { arrays } from '../../src/db/arrays.ts'
import type { Db } from '../../src/db/db-types.ts'
import type { AcceptEmails } from '../../src/emails/accept/accept-emails.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { compileTemplate } from '../../src/templates/render-template.ts'
import type { FindTemplate } from '../../src/templates/template-cache.ts'
import type { chainOf } from './automations.ts'
import { givenTeamRow } from './old-weeks.ts'

const RIGHTS = { mayBeTransactional: true }
const HOUR_MS = 3_600_000

/** An engine of automations whose time the test moves, and which is worked by hand. Emails are only counted. */
export async function givenEngine(db: Db, start = new Date('2026-03-01T09:00:00Z')) {
  const teamId = await givenTeamRow(db)
  let now = start
  const clock = { now: () => now }
  /** The addresses of accepted emails, in order. */
  const sent: { to: string; subject: string; at: Date }[] = []
  const acceptEmails: AcceptEmails = async (items, _isWhole, _submitter, _idempotency, origin) => {
    const ids = items.map((item) => ('errors' in item ? '' : (item.emailId ?? '')))
    const permitted = await db.transaction(async (tx) => {
      const permittedIds = [...((await origin?.lock(tx, ids)) ?? [])]
      await origin?.record(tx, permittedIds, now)
      return permittedIds
    })
    // Only what was committed is sent.
    for (const [index, item] of items.entries()) {
      if (!permitted.includes(ids[index] ?? '') || 'errors' in item) continue
      sent.push({ to: String(item.request.to), subject: item.request.subject ?? '', at: now })
    }
    const refused = ids.flatMap((id, index) =>
      permitted.includes(id) ? [] : [{ index, message: 'Any text.', code: 'not_permitted' as const }],
    )
    return { emailIds: permitted, refused }
  }
  const findTemplate: FindTemplate = async (_team, id) => ({
    id,
    name: 'T',
    status: 'published',
    replyTo: null,
    sender: { name: 'Ann', email: 'ann@sender.test', replyTo: null },
    compiled: compileTemplate({ subject: 'S', html: null, text: 'T', variables: [] }),
    stamp: '1',
  })
  const deps = {
    db,
    clock,
    log: createLog('silent'),
    plans: new Plans(),
    failing: new Failing(),
    acceptEmails,
    findTemplate,
    unsubscribeUrl: () => '',
    onError(error: unknown): void {
      throw error
    },
  }
  return {
    teamId,
    sent,
    deps,
    at: () => now,
    /** Moves the time. */
    to(time: Date): void {
      now = time
    },
    later(hours: number): void {
      now = new Date(now.getTime() + hours * HOUR_MS)
    },
    /** Follows events and takes steps until nothing is due. */
    async work(): Promise<void> {
      for (let turn = 0; turn < 1000; turn++) {
        const followed = await followTeam(deps, teamId)
        await resumeParked(deps)
        await rereadSegments(deps)
        await readSegments(deps)
        const swept = await sweepSegments(deps)
        const dated = await followDates(deps)
        const worked = await workOnTeam(deps, teamId)
        if (!followed && !swept && !dated && !worked && !(await isDue(db, teamId, now))) return
      }
      throw new Error('The engine does not come to rest.')
    },
    activate: (graph: ReturnType<typeof chainOf>, fields: object = {}) =>
      db.transaction((tx) =>
        createAutomation(tx, teamId, { name: 'A', status: 'active', ...graph, ...fields }, RIGHTS, now),
      ),
    change: (id: string, fields: object) =>
      db.transaction((tx) => changeAutomation(tx, teamId, id, fields, RIGHTS, now)),
    /** Creates contacts `c<no>@x.test`, and returns their ids. */
    async contacts(count: number, fields: { timeZone?: string } = {}): Promise<string[]> {
      const ids = Array.from({ length: count }, () => newId(now.getTime()))
      await db.query(
        `insert into contact (team_id, id, email, time_zone, unsubscribed, created_at, updated_at)
         select $1, k.id, 'c' || k.id || '@x.test', $3, false, $4, $4
         from unnest($2::uuid[]) as k (id)`,
        [teamId, arrays.uuid(ids), fields.timeZone ?? null, now],
      )
      return ids
    },
    report: (event: string, id: string, payload: Record<string, unknown> = {}) =>
      reportEvent(db, teamId, { name: event, contact: { id }, payload, occurredAt: now }, null, now),
    async runs(): Promise<AutomationRun[]> {
      const rows = await db.query<AutomationRun>(
        'select * from automation_run where team_id = $1 order by id',
        [teamId],
      )
      return rows
    },
    async expectOutcomes(outcomes: Record<string, number>): Promise<void> {
      const rows = await db.query<{ outcome: string; count: number }>(
        `select coalesce(outcome, state) as outcome, count(*)::int4 as count
         from automation_run
         where team_id = $1
         group by 1`,
        [teamId],
      )
      expect(Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))).toEqual(outcomes)
    },
  }
}

/** The same, with the config of a step that sends an email. */
export async function givenSendingEngine(db: Db, start?: Date) {
  const engine = await givenEngine(db, start)
  const templateId = newId()
  await db.query(
    `insert into template (team_id, id, sender_id, name, subject, text_content, status, version, variables, created_at, updated_at)
     values ($1, $2, $3, 'T', 'S', 'T', 'published', 1, '[]', now(), now())`,
    [engine.teamId, templateId, newId()],
  )
  return { ...engine, email: { template: { id: templateId } } }
}

async function isDue(db: Db, teamId: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    `select 1 from automation_run where team_id = $1 and state = 'active' and due_at <= $2 limit 1`,
    [teamId, now],
  )
  return rows.length > 0
}
