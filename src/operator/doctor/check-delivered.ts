import { DatabaseUnavailable, type Queryable } from '../../db/db-types.ts'
import { findAcceptedDelivery, findLastReply } from './delivered-queries.ts'
import { type Finding, note, ok, warning } from './finding.ts'

const CHECK = 'first delivered email'

/** Checks the last step of a new installation: that a server of a recipient has accepted an email. */
export async function checkDelivered(db: Queryable): Promise<Finding> {
  try {
    return await findDelivered(db)
  } catch (error) {
    // A large installation that has only captured mail so far.
    if (error instanceof DatabaseUnavailable) return note(CHECK, 'The database did not find it in time.')
    throw error
  }
}

async function findDelivered(db: Queryable): Promise<Finding> {
  const accepted = await findAcceptedDelivery(db)
  if (accepted !== null) {
    const day = accepted.updatedAt.toISOString().slice(0, 10)
    return ok(CHECK, `${accepted.mxHost} accepted an email on ${day}.`)
  }
  const last = await findLastReply(db)
  if (last === null) {
    const command =
      'sendwright send --from hello@YOUR-DOMAIN --to YOU@EXAMPLE.COM --subject Hello --text "It works."'
    return note(CHECK, 'No email has left this machine yet.', `Send one to an address of yours: ${command}`)
  }
  const { domain, status, response } = last
  const advice =
    'The email in the dashboard has the transcript and advice. "sendwright queue" lists what waits.'
  return warning(
    CHECK,
    `None yet. The last one, to ${domain}, is ${status}: ${response ?? 'no reply'}`,
    advice,
  )
}
