import { findContactIdByEmail } from '../../audience/contacts/contacts-queries.ts'
import type { Db } from '../../db/db-types.ts'
import type { AcceptEmails } from '../../emails/accept/accept-emails.ts'
import type { Origin, Submitter } from '../../emails/accept/accept-types.ts'
import type { SendRequest } from '../../emails/request/draft-email.ts'
import { ApiError, type FieldErrors, invalidField, throwInvalid } from '../../lib/api-error.ts'
import { cutText } from '../../lib/text/cut-text.ts'
import { parseMailbox, suppressionKey } from '../../mime/address.ts'
import { validateContentReadiness } from '../campaigns.ts'
import type { Campaign } from '../rows/campaigns-queries.ts'
import { type LiveContact, readContact } from '../sending/audience-contacts-queries.ts'
import { renderFor } from '../sending/render-campaign.ts'
import { type OpenContent, openContent, refuseUnpublished } from './open-content.ts'

interface TestDeps {
  db: Db
  acceptEmails: AcceptEmails
}

/** The result of the test to one address. */
export interface TestResult {
  /** As given. */
  email: string
  emailId: string | null
  /** Why there is no email. */
  error: string | null
}

const PREFIX = '[Test] '
const SUBJECT_LENGTH_MAX = 998
/** Its scope is not used: a test has the header fields of `inertFields`. */
const NO_SCOPE = { kind: 'topic', topic: 'Test' } as const

/** An email with an origin to a suppressed recipient is refused, not recorded as suppressed. A test needs nothing else of it. */
const ORIGIN: Origin = {
  lock: async (_tx, emailIds) => new Set(emailIds),
  record: async () => {},
}

/** Refuses a campaign that lacks what each email needs. */
function requireContent(campaign: Campaign, open: OpenContent): void {
  if (!open.isCurrent) return
  const errors: FieldErrors = {}
  const refuse = (field: string, message: string) => {
    errors[field] ??= [message]
  }
  validateContentReadiness(campaign, refuse)
  refuseUnpublished(open, refuse)
  throwInvalid(errors)
}

/**
 * Sends the content of a campaign to each of the addresses, in their order, and to none twice, with the values of the contact that
 * has the address, if there is one. Throws `validation_error` for an invalid address and for incomplete content.
 * @param testUrl takes the place of the unsubscribe links
 */
export async function testCampaign(
  { db, acceptEmails }: TestDeps,
  campaign: Campaign,
  addresses: readonly string[],
  submitter: Submitter,
  testUrl: string,
): Promise<TestResult[]> {
  const keys = keysOf(addresses)
  const open = await openContent(db, campaign)
  requireContent(campaign, open)
  const results: TestResult[] = []
  const requests: { result: TestResult; request: SendRequest }[] = []
  for (const [key, { given, address }] of keys) {
    const result: TestResult = { email: given, emailId: null, error: null }
    results.push(result)
    try {
      const contact = { ...(await contactOf(db, campaign.teamId, key, open)), email: address }
      requests.push({ result, request: requestFor(open, contact, testUrl) })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'validation_error') throw error
      result.error = error.message
    }
  }
  if (requests.length === 0) return results
  const items = requests.map(({ request }) => ({ request }))
  const { emailIds, refused } = await acceptEmails(items, false, submitter, null, ORIGIN)
  for (const { index, message } of refused)
    (requests[index] as (typeof requests)[number]).result.error = message
  const accepted = requests.filter(({ result }) => result.error === null)
  for (const [index, { result }] of accepted.entries()) result.emailId = emailIds[index] ?? null
  return results
}

/** Returns the distinct addresses by the form in which contacts have them. */
function keysOf(addresses: readonly string[]): Map<string, { given: string; address: string }> {
  const keys = new Map<string, { given: string; address: string }>()
  for (const [index, email] of addresses.entries()) {
    const mailbox = parseMailbox(email)
    const field = `to.${index}`
    if (mailbox === null) throw invalidField(field, `The ${field} field must be a valid email address.`)
    const key = suppressionKey(mailbox.address)
    // Without a display name, which would become part of the values.
    if (!keys.has(key)) keys.set(key, { given: email, address: mailbox.address })
  }
  return keys
}

async function contactOf(
  db: Db,
  teamId: string,
  key: string,
  { compiled }: OpenContent,
): Promise<Omit<LiveContact, 'email'>> {
  const id = await findContactIdByEmail(db, teamId, key)
  const contact = id === null ? null : await readContact(db, teamId, id, compiled.propertyKeys)
  return contact ?? { contactId: '', firstName: null, lastName: null, unsubscribed: false, values: {} }
}

function requestFor(
  { compiled, fallbacks }: OpenContent,
  contact: LiveContact,
  testUrl: string,
): SendRequest {
  const values = { contact, fallbacks, unsubscribeUrl: testUrl }
  const { unsubscribe: _real, ...request } = renderFor(compiled, values, NO_SCOPE)
  const subject = cutText(`${PREFIX}${request.subject ?? ''}`, SUBJECT_LENGTH_MAX)
  return { ...request, subject, headers: inertFields(testUrl) }
}

/** The fields of the real email (RFC 8058), so that mail clients show the same. */
function inertFields(testUrl: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${testUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
