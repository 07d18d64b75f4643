import type { Db } from '../../db/db-types.ts'
import type { AcceptEmails } from '../../emails/accept/accept-emails.ts'
import type { Origin, Submitter } from '../../emails/accept/accept-types.ts'
import { inertUnsubscribeUrl } from '../../emails/accept/unsubscribe-links.ts'
import type { SendRequest } from '../../emails/request/draft-email.ts'
import { ApiError, type FieldErrors, invalidFields } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { parseAddress, suppressionKey, trimSpaces } from '../../mime/address.ts'
import { findObstacles } from '../campaigns.ts'
import type { Campaign } from '../campaigns-queries.ts'
import { fromOf } from './campaign-content.ts'
import { readContactValues } from './contact-values-queries.ts'
import { NOBODY, readRenderable, renderInert } from './preview-campaign.ts'

export interface TestDeps {
  db: Db
  clock: Clock
  acceptEmails: AcceptEmails
  publicUrl: string
}

/** What became of the email to an address. */
export interface TestResult {
  to: string
  /** Null if the email was refused. */
  id: string | null
  /** Why it was refused, or null. */
  message: string | null
  /** Variables without a value, whose placeholders the email shows. */
  missing: string[]
}

const PREFIX = '[Test] '
const SUBJECT_CHARS_MAX = 998

/** Suppression holds: addresses that get no mail are refused. Nothing else is recorded. */
const TEST: Origin = {
  lock: async (_tx, emailIds) => new Set(emailIds),
  record: async () => {},
}

/**
 * Sends the content of a campaign, as it is now, to addresses that need not be contacts. Throws `validation_error` for an invalid
 * address and for content that is incomplete.
 */
export async function testCampaign(
  deps: TestDeps,
  campaign: Campaign,
  submitter: Submitter,
  given: readonly string[],
): Promise<TestResult[]> {
  const addresses = readAddresses(given)
  const requests = await renderAll(deps, campaign, addresses)
  const ready = requests.flatMap(({ request, to }) => (request === null ? [] : [{ request, to }]))
  const items = ready.map(({ request }) => ({ request, emailId: newId(deps.clock.now().getTime()) }))
  const answer =
    items.length === 0
      ? { emailIds: [], refused: [] }
      : await deps.acceptEmails(items, false, submitter, null, TEST)
  const accepted = new Set(answer.emailIds)
  const messages = new Map(answer.refused.map(({ index, message }) => [index, message]))
  const outcomes = new Map(
    ready.map(({ to }, index) => {
      const id = (items[index] as (typeof items)[number]).emailId
      return [to, { id: accepted.has(id) ? id : null, message: messages.get(index) ?? null }]
    }),
  )
  return requests.map(({ to, missing, message }) => ({
    ...{ to, missing },
    ...(outcomes.get(to) ?? { id: null, message }),
  }))
}

/** Returns the distinct addresses by the key that contacts have. */
function readAddresses(given: readonly string[]): Map<string, string> {
  const errors: FieldErrors = {}
  const addresses = new Map<string, string>()
  for (const [index, text] of given.entries()) {
    const mailbox = parseAddress(trimSpaces(text))
    if (mailbox === null) errors[`to.${index}`] = [`The to.${index} field must be a valid email address.`]
    else addresses.set(suppressionKey(mailbox.address), mailbox.address)
  }
  const apiError = invalidFields(errors)
  if (apiError !== null) throw apiError
  return addresses
}

interface Prepared {
  to: string
  /** Null if it could not be rendered. */
  request: SendRequest | null
  message: string | null
  missing: string[]
}

async function renderAll(
  { db, clock, publicUrl }: TestDeps,
  campaign: Campaign,
  addresses: ReadonlyMap<string, string>,
): Promise<Prepared[]> {
  const obstacles = await db.transaction((tx) => findObstacles(tx, campaign, clock.now()))
  // Nobody of the audience gets the test.
  const errors = Object.entries(obstacles).filter(([field]) => !/^(?:segment_id|audience)/.test(field))
  const apiError = invalidFields(Object.fromEntries(errors))
  if (apiError !== null) throw apiError
  const renderable = await readRenderable(db, campaign)
  const { source, content } = renderable
  const keys = [...addresses.keys()]
  const known = await readContactValues(db, campaign.teamId, { emails: keys }, content.propertyKeys)
  const contacts = new Map(known.map((contact) => [contact.email, contact]))
  const prepared: Prepared[] = []
  for (const [key, to] of addresses) {
    const contact = contacts.get(key) ?? { ...NOBODY, email: to }
    try {
      const { subject, html, text, missing } = await renderInert(renderable, contact, publicUrl)
      const link = `<${inertUnsubscribeUrl(publicUrl)}>`
      const request: SendRequest = {
        ...(source.sender !== null && { from: fromOf(source.sender) }),
        ...(source.replyTo !== null && { reply_to: source.replyTo }),
        ...{ to, html, subject: prefix(subject ?? '') },
        ...(text !== null && { text }),
        headers: { 'List-Unsubscribe': link, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      }
      prepared.push({ to, request, message: null, missing })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      prepared.push({ to, request: null, message: error.message, missing: [] })
    }
  }
  return prepared
}

function prefix(subject: string): string {
  return [...`${PREFIX}${subject}`].slice(0, SUBJECT_CHARS_MAX).join('')
}
