import type { Db, Tx } from '../../db/db-types.ts'
import { findSender, type Sender } from '../../domains/senders-queries.ts'
import type { AcceptEmails } from '../../emails/accept/accept-emails.ts'
import type { Origin } from '../../emails/accept/accept-types.ts'
import type { RefusalCode } from '../../emails/accept/refusal.ts'
import type { UnsubscribeLink } from '../../emails/accept/unsubscribe-links.ts'
import type { SendRequest } from '../../emails/request/draft-email.ts'
import { newId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { storedDurationMs } from '../../lib/time/durations.ts'
import type { FindTemplate, SendTemplate } from '../../templates/template-cache.ts'
import { catchUp } from '../following/catch-up.ts'
import type { Step } from '../graph/graph-types.ts'
import { type AutomationRun, isAt, lockAutomationRuns, releaseAutomationRuns } from '../rows/runs-queries.ts'
import { lockSendableRuns } from '../rows/sendable-runs-queries.ts'
import { emailRequestOf, unsubscribeScopeOf } from '../running/email-request.ts'
import { Moves } from '../running/moves.ts'
import type { RunPlan } from '../running/plans.ts'
import { Scopes } from '../running/scopes.ts'
import { reasonToEnd } from '../running/walk-run.ts'

export interface SendEmailsDeps {
  db: Db
  clock: Clock
  acceptEmails: AcceptEmails
  findTemplate: FindTemplate
  unsubscribeUrl(link: UnsubscribeLink): string
}

/** A leased run that is at a step which sends an email, with the version that it follows. */
export interface SendingRun {
  run: AutomationRun
  plan: RunPlan
  step: Step<'send_email'>
}

interface Prepared extends SendingRun {
  emailId: string
  request: SendRequest
  zone: string | null
}

/** What becomes of a run that gets no email now. */
type Verdict =
  | { kind: 'failed' | 'canceled'; reason: string }
  | { kind: 'late' }
  | { kind: 'held'; reason: string }

interface Judged {
  sending: SendingRun
  verdict: Verdict
  zone: string | null
}

/**
 * Sends the emails of leased runs of one team, in one request. Each run moves on in the transaction that inserts its email.
 * What is recorded after it, about runs that get none, is found again after a crash.
 */
export async function sendEmails(
  deps: SendEmailsDeps,
  teamId: string,
  sendings: readonly SendingRun[],
): Promise<void> {
  const judged: Judged[] = []
  const prepared = await prepareAll(deps, teamId, sendings, judged)
  const released = await accept(deps, teamId, prepared, judged)
  await settle(deps, teamId, judged)
  await releaseAutomationRuns(deps.db, teamId, released)
}

async function prepareAll(
  deps: SendEmailsDeps,
  teamId: string,
  sendings: readonly SendingRun[],
  judged: Judged[],
): Promise<Prepared[]> {
  const { db, clock } = deps
  const scopes = new Scopes(
    db,
    teamId,
    sendings.map(({ run }) => run.contactId),
    clock.now(),
  )
  const templates = await findAll(
    sendings,
    ({ config }) => config.template.id,
    (id) => deps.findTemplate(teamId, id),
  )
  const senders = await findAll(
    sendings,
    ({ config }) => config.sender_id,
    (id) => findSender(db, teamId, id),
  )
  const prepared: Prepared[] = []
  for (const sending of sendings) {
    const { run, plan, step } = sending
    const contact = await scopes.contactOf(run.contactId)
    const zone = contact?.timeZone ?? null
    if (step.config.class === 'transactional' && !isAskedFor(run)) {
      const reason = 'Only an event of your own or the API may begin runs that send transactional email.'
      judged.push({ sending, zone, verdict: { kind: 'failed', reason } })
      continue
    }
    const ending = reasonToEnd(contact)
    if (contact === null || ending !== null) {
      judged.push({ sending, zone, verdict: { kind: 'canceled', reason: ending ?? '' } })
      continue
    }
    if (isLate(sending, clock.now())) {
      judged.push({ sending, zone, verdict: { kind: 'late' } })
      continue
    }
    const emailId = newId(clock.now().getTime())
    const scope = unsubscribeScopeOf(plan.index)
    const request = emailRequestOf({
      step,
      sender: (senders.get(step.config.sender_id ?? '') ?? null) as Sender | null,
      template: (templates.get(step.config.template.id) ?? null) as SendTemplate | null,
      contact,
      payload: run.payload,
      scope,
      unsubscribeUrl: deps.unsubscribeUrl({ teamId, emailId, scope, email: contact.email }),
    })
    prepared.push({ ...sending, emailId, request, zone })
  }
  return prepared
}

/** A run may have been moved here from a version with another trigger. */
function isAskedFor({ cause }: AutomationRun): boolean {
  return cause.type === 'event' || cause.type === 'api'
}

async function findAll<T>(
  sendings: readonly SendingRun[],
  idOf: (step: Step<'send_email'>) => string | undefined,
  find: (id: string) => Promise<T>,
): Promise<Map<string, T>> {
  const ids = [...new Set(sendings.flatMap(({ step }) => idOf(step) ?? []))]
  return new Map(await Promise.all(ids.map(async (id) => [id, await find(id)] as const)))
}

function isLate({ run, plan }: SendingRun, now: Date): boolean {
  const { max_late: maxLate } = plan.settings
  // Not from when it is due: an email that is held is due later each time.
  return maxLate !== undefined && now.getTime() - run.enteredAt.getTime() > storedDurationMs(maxLate)
}

/** Returns the runs whose email was not permitted: their automation was paused, or something else changed. */
async function accept(
  { acceptEmails }: SendEmailsDeps,
  teamId: string,
  prepared: readonly Prepared[],
  judged: Judged[],
): Promise<string[]> {
  if (prepared.length === 0) return []
  const submitter = { teamId, domainId: null, keyId: null }
  const answer = await acceptEmails(prepared, false, submitter, null, originOf(teamId, prepared))
  const released: string[] = []
  for (const { index, message, code } of answer.refused) {
    const sending = prepared[index] as Prepared
    if (code === 'not_permitted') released.push(sending.run.id)
    else judged.push({ sending, zone: sending.zone, verdict: verdictOf(message, code) })
  }
  return released
}

function verdictOf(message: string, code: RefusalCode | undefined): Verdict {
  if (code === undefined) return { kind: 'failed', reason: message }
  return code === 'no_mail' ? { kind: 'canceled', reason: message } : { kind: 'held', reason: message }
}

/** Permits the runs that are still at this step of an active automation, and moves them when their emails are accepted. */
function originOf(teamId: string, prepared: readonly Prepared[]): Origin {
  const byEmail = new Map(prepared.map((each) => [each.emailId, each]))
  const of = (emailIds: readonly string[]) => emailIds.map((id) => byEmail.get(id) as Prepared)
  return {
    async lock(tx, emailIds) {
      const runs = of(emailIds).map(({ run }) => run)
      const sendable = await lockSendableRuns(tx, teamId, runs)
      return new Set(emailIds.filter((id) => sendable.has((byEmail.get(id) as Prepared).run.id)))
    },
    async record(tx, emailIds, now) {
      const moves = new Moves(teamId, now)
      for (const { run, plan, emailId, zone } of of(emailIds)) {
        // A copy, because the transaction may fail and be repeated.
        moves.go({ ...run }, plan.index, 'default', now, { emailId, zone })
      }
      await hearAndSave(tx, moves, prepared)
    },
  }
}

/** Saves moves of these runs. Those that wait now hear first what came before. */
async function hearAndSave(tx: Tx, moves: Moves, sendings: readonly SendingRun[]): Promise<void> {
  const plans = new Map(sendings.map(({ run, plan }) => [run.id, plan]))
  const contactIds = sendings.map(({ run }) => run.contactId)
  const scopes = new Scopes(tx, moves.teamId, contactIds, moves.now)
  await catchUp(tx, { moves, scopes, planOf: ({ id }) => plans.get(id) }, moves)
  await moves.save(tx)
}

/** The waits after a refusal that applies to every email of the team, in minutes. */
const HELD_MINUTES = [1, 5, 15, 30] as const

/** Records what became of runs without an email, if they are still where they were. */
async function settle(
  { db, clock }: SendEmailsDeps,
  teamId: string,
  judged: readonly Judged[],
): Promise<void> {
  if (judged.length === 0) return
  await db.transaction(async (tx) => {
    const ids = judged.map(({ sending }) => sending.run.id)
    const locked = new Map((await lockAutomationRuns(tx, teamId, ids)).map((run) => [run.id, run]))
    const moves = new Moves(teamId, clock.now())
    for (const { sending, verdict, zone } of judged) {
      const run = locked.get(sending.run.id)
      if (run === undefined || !isAt(run, sending.run)) continue
      apply(moves, run, sending.plan, verdict, zone)
    }
    await hearAndSave(
      tx,
      moves,
      judged.map(({ sending }) => sending),
    )
  })
}

function apply(moves: Moves, run: AutomationRun, plan: RunPlan, verdict: Verdict, zone: string | null): void {
  if (verdict.kind === 'late') {
    const detail = { reason: 'The email was later than the automation allows.', due_at: run.enteredAt }
    moves.go(run, plan.index, 'default', run.enteredAt, { outcome: 'skipped', detail, zone })
  } else if (verdict.kind === 'held') {
    const minutes = HELD_MINUTES[Math.min(run.attempts, HELD_MINUTES.length - 1)] as number
    // Not further: failures have the same counter, and a run ends after several of them.
    run.attempts = Math.min(run.attempts + 1, HELD_MINUTES.length - 1)
    run.reason = verdict.reason
    run.dueAt = new Date(moves.now.getTime() + minutes * 60_000)
    moves.touch(run)
  } else moves.end(run, verdict.kind, verdict.reason)
}
