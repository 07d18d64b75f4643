import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/db-types.ts'
import type { AcceptEmails } from '../../emails/accept/accept-emails.ts'
import type { Origin } from '../../emails/accept/accept-types.ts'
import type { RefusalCode } from '../../emails/accept/refusal.ts'
import type { UnsubscribeLink } from '../../emails/accept/unsubscribe-links.ts'
import type { SendRequest } from '../../emails/request/draft-email.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { scopeOf } from '../audience/audience.ts'
import type { PausedReason } from '../rows/campaigns-queries.ts'
import { lockPacedUntil } from '../rows/progress-queries.ts'
import { lockWaiting, recordAccepted, recordRefused } from '../rows/recipients-queries.ts'
import type { CampaignVersion, Run } from '../rows/runs-queries.ts'
import {
  type AudienceContact,
  type LiveContact,
  readAudienceContacts,
  readPropertyFallbacks,
} from './audience-contacts-queries.ts'
import { allowanceOf, type Pace, paceAfter } from './pace.ts'
import { type CompiledVersion, renderFor } from './render-campaign.ts'

export interface FeedDeps {
  db: Db
  clock: Clock
  acceptEmails: AcceptEmails
  unsubscribeUrl(link: UnsubscribeLink): string
}

export interface Fed {
  acceptedCount: number
  /** How many recipients no longer wait. */
  doneCount: number
  /** Why the campaign cannot continue, or null. */
  obstacle: PausedReason | null
}

interface Refused {
  contactId: string
  reason: string
}

interface Prepared {
  contactId: string
  emailId: string
  request: SendRequest
}

/** How long emails are rendered in one turn of the event loop. One of many placeholders takes some milliseconds. */
const TURN_MS = 5

/**
 * Accepts the emails of waiting recipients, in one request. Each recipient's row moves to `accepted` in the transaction that
 * inserts its email. What is recorded after it, about recipients that get none, is found again after a crash.
 */
export async function feedCampaign(
  deps: FeedDeps,
  run: Run,
  version: CompiledVersion<CampaignVersion>,
  contactIds: readonly string[],
): Promise<Fed> {
  const { db, clock } = deps
  const [contacts, fallbacks] = await Promise.all([
    readAudienceContacts(db, run, contactIds, version.propertyKeys),
    readPropertyFallbacks(db, run.teamId, version.propertyKeys),
  ])
  const skipped: Refused[] = []
  const failed: Refused[] = []
  const prepared: Prepared[] = []
  let turnMs = performance.now()
  for (const contact of contacts) {
    if (performance.now() - turnMs > TURN_MS) {
      await nextTurn()
      turnMs = performance.now()
    }
    const reason = reasonToSkip(contact)
    if (reason !== null) skipped.push({ contactId: contact.contactId, reason })
    else prepare(deps, run, version, { contact: contact as LiveContact, fallbacks }, prepared, failed)
  }
  const outcome = await accept(deps, run, prepared, skipped, failed)
  const now = clock.now()
  await refuse(db, run, 'skipped', skipped, now)
  await refuse(db, run, 'failed', failed, now)
  return { ...outcome, doneCount: outcome.acceptedCount + skipped.length + failed.length }
}

async function refuse(
  db: Db,
  run: Run,
  state: 'skipped' | 'failed',
  refused: readonly Refused[],
  now: Date,
): Promise<void> {
  if (refused.length > 0) await db.transaction((tx) => recordRefused(tx, run, state, refused, now))
}

function reasonToSkip({ email, unsubscribed }: AudienceContact): string | null {
  if (email === null) return 'The contact was deleted.'
  return unsubscribed ? 'The contact has unsubscribed.' : null
}

function prepare(
  { clock, unsubscribeUrl }: FeedDeps,
  run: Run,
  version: CompiledVersion<CampaignVersion>,
  recipient: { contact: LiveContact; fallbacks: ReadonlyMap<string, string> },
  prepared: Prepared[],
  failed: Refused[],
): void {
  const { contactId, email } = recipient.contact
  const emailId = newId(clock.now().getTime())
  const scope = scopeOf(version.version.audience)
  const url = version.hasUnsubscribeUrl ? unsubscribeUrl({ teamId: run.teamId, emailId, scope, email }) : ''
  try {
    prepared.push({
      contactId,
      emailId,
      request: renderFor(version, { ...recipient, unsubscribeUrl: url }, scope),
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    failed.push({ contactId, reason: error.message })
  }
}

async function accept(
  { acceptEmails, clock }: FeedDeps,
  run: Run,
  prepared: readonly Prepared[],
  skipped: Refused[],
  failed: Refused[],
): Promise<Pick<Fed, 'acceptedCount' | 'obstacle'>> {
  if (prepared.length === 0) return { acceptedCount: 0, obstacle: null }
  const submitter = { teamId: run.teamId, domainId: null, keyId: null }
  const answer = await acceptEmails(prepared, false, submitter, null, originOf(run, prepared, clock))
  let obstacle: PausedReason | null = null
  for (const { index, message, code } of answer.refused) {
    const { contactId } = prepared[index] as Prepared
    if (code === 'not_permitted') continue
    if (code === 'no_mail') skipped.push({ contactId, reason: message })
    else if (code === undefined) failed.push({ contactId, reason: message })
    else obstacle = OBSTACLES[code]
  }
  return { acceptedCount: answer.emailIds.length, obstacle }
}

/** Refusals that all other recipients would get as well. */
const OBSTACLES: Readonly<Record<Exclude<RefusalCode, 'not_permitted' | 'no_mail'>, PausedReason>> = {
  sending_paused: 'reputation',
  domain_unverified: 'domain',
  quota_exceeded: 'quota',
}

/** Permits recipients that still wait, as many as the rate of the campaign does now. */
function originOf(run: Run, prepared: readonly Prepared[], clock: Clock): Origin {
  const contactOf = new Map(prepared.map(({ emailId, contactId }) => [emailId, contactId]))
  const contactsOf = (emailIds: readonly string[]) =>
    emailIds.map((emailId) => ({ emailId, contactId: contactOf.get(emailId) as string }))
  let limit: { pace: Pace; at: Date } | null = null
  return {
    async lock(tx, emailIds) {
      const contacts = contactsOf(emailIds)
      const free = await lockWaiting(
        tx,
        run,
        contacts.map(({ contactId }) => contactId),
      )
      const ids = contacts.flatMap(({ contactId, emailId }) =>
        free.contactIds.has(contactId) ? emailId : [],
      )
      // A transaction that failed is repeated with the rate of then.
      limit = null
      if (free.ratePerHour === null) return new Set(ids)
      const pace = { pacedUntil: await lockPacedUntil(tx, run), ratePerHour: free.ratePerHour }
      limit = { pace, at: clock.now() }
      return new Set(ids.slice(0, allowanceOf(pace, limit.at)))
    },
    async record(tx, emailIds, now) {
      const pacedUntil = limit === null ? null : paceAfter(limit.pace, limit.at, emailIds.length)
      await recordAccepted(tx, run, contactsOf(emailIds), { now, pacedUntil })
    },
  }
}
