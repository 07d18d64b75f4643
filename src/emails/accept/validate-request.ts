import { ApiError, invalidField } from '../../lib/api-error.ts'
import type { Allowance } from '../../teams/usage-queries.ts'
import { type Facts, isSuppressed } from './accept-facts-queries.ts'
import { spendQuota } from './accept-quota.ts'
import type { AcceptAnswer, AcceptRequest, RefusedEmail, Submission, Submitter } from './accept-types.ts'
import { NO_MAIL_MESSAGE, Refusal } from './refusal.ts'
import { refuseItem } from './refuse-item.ts'
import { StaleFacts } from './with-current.ts'

/** A submission that passed validation. */
export interface ValidSubmission {
  item: Submission
  teamId: string
  domainId: string
  keyId: string | null
}

/** What the transaction adds to the facts. */
interface LockedFacts extends Facts {
  /** `team/id` of Message-IDs that emails have, among those that requests gave. Grows with each accepted email. */
  takenIds: Set<string>
  /** The ids of the emails that their origin permits; null without an origin. */
  permitted: ReadonlySet<string> | null
}

/**
 * Validates a request and adds the emails to write to `accepted`. A whole batch adds all or nothing; if
 * rejected, it uses no quota.
 */
export function validateRequest(
  { submissions, submitter, batch }: AcceptRequest,
  facts: LockedFacts,
  allowance: Allowance | undefined,
  accepted: ValidSubmission[],
): AcceptAnswer | Error {
  const { teamId, keyId } = submitter
  const takenIds = findTakenIds(submissions, submitter, facts)
  if (takenIds.length > 0 || !areFresh(submissions, submitter, facts)) return new StaleFacts(takenIds)
  const before = { ...allowance }
  const passed: ValidSubmission[] = []
  const refused = [...(batch?.refused ?? [])]
  for (const [position, item] of submissions.entries()) {
    const validated = validateItem(item, submitter, facts, allowance)
    const index = batch?.indexes[position] ?? 0
    if (!(validated instanceof ApiError)) passed.push({ item, teamId, keyId, domainId: validated })
    else if (batch === null) return validated
    else if (batch.isWhole) {
      if (allowance !== undefined) Object.assign(allowance, before)
      return refuseItem(index, validated)
    } else refused.push(toRefused(index, validated))
  }
  accepted.push(...passed)
  for (const { item } of passed) {
    if (item.ownMessageId !== null) facts.takenIds.add(`${teamId}/${item.ownMessageId.id}`)
  }
  const ids = passed.map(({ item }) => item.emailId)
  return { emailIds: ids, refused: refused.sort((a, b) => a.index - b.index) }
}

function toRefused(index: number, apiError: ApiError): RefusedEmail {
  const { message } = apiError
  return apiError instanceof Refusal ? { index, message, code: apiError.refusal } : { index, message }
}

/** Returns whether the templates that the messages were built from are still current. */
function areFresh(submissions: readonly Submission[], { teamId }: Submitter, { templates }: Facts): boolean {
  return submissions.every(
    ({ template }) => template === null || templates.has(`${teamId}/${template.id}/${template.stamp}`),
  )
}

/** Returns the given Message-IDs that their emails cannot have: taken, or at a domain that the submitter may not use. */
function findTakenIds(
  submissions: readonly Submission[],
  { teamId, domainId }: Submitter,
  { domainIds, takenIds }: LockedFacts,
): string[] {
  const ownIds = submissions.flatMap(({ ownMessageId }) => (ownMessageId === null ? [] : [ownMessageId]))
  return ownIds.flatMap(({ id, domain }) => {
    const owner = domainIds.get(`${teamId}/${domain}`)
    const isAllowed = owner !== undefined && (domainId === null || domainId === owner)
    return isAllowed && !takenIds.has(`${teamId}/${id}`) ? [] : [id]
  })
}

/** Returns the first reason to reject, in the order of ERR-15, or else the domain's id. */
function validateItem(
  item: Submission,
  submitter: Submitter,
  facts: LockedFacts,
  allowance: Allowance | undefined,
): string | ApiError {
  const unfit = refuseByOrigin(item, submitter, facts)
  if (unfit !== null) return unfit
  const { teamId } = submitter
  const team = facts.teams.get(teamId)
  const domainIds = item.senderDomains.map(({ name }) => facts.domainIds.get(`${teamId}/${name}`))
  const domainId = domainIds[0]
  if (submitter.domainId !== null && domainIds.some((id) => id !== submitter.domainId))
    return new ApiError('restricted_api_key')
  if (team === undefined) return new ApiError('invalid_api_key')
  if (team.isSendingPaused) {
    return new Refusal('sending_paused', 'validation_error', 'Sending is paused for this account.')
  }
  const unverified = item.senderDomains[domainIds.indexOf(undefined)]
  if (domainId === undefined || unverified !== undefined) {
    const message = 'The from address domain is not verified.'
    const errors = { [unverified?.field ?? 'from']: [message] }
    return new Refusal('domain_unverified', 'validation_error', message, { errors })
  }
  const { unsubscribe } = item
  if (unsubscribe?.kind === 'list' && !facts.lists.has(`${teamId}/${unsubscribe.listId}`)) {
    const field = 'unsubscribe.list_id'
    return invalidField(field, `The ${field} field must be the id of a list of this account.`)
  }
  const exceeded = spendQuota(item, team, facts, allowance)
  return exceeded ?? domainId
}

function refuseByOrigin(item: Submission, { teamId }: Submitter, facts: LockedFacts): ApiError | null {
  if (facts.permitted === null) return null
  if (!facts.permitted.has(item.emailId)) {
    const message = 'The recipient has its email already, or must not get it now.'
    return new Refusal('not_permitted', 'conflict', message)
  }
  const getsMail = item.recipients.some(({ key }) => !isSuppressed(item, teamId, key, facts))
  return getsMail ? null : new Refusal('no_mail', 'conflict', NO_MAIL_MESSAGE)
}
