import type { Route } from '../http/route/route.ts'

/** A send to more recipients than this needs a confirmation. */
export const UNCONFIRMED_RECIPIENTS_MAX = 50

type Confirmed = Pick<Route, 'method' | 'path' | 'limit' | 'action' | 'changesNothing'>
type Arguments = Readonly<Record<string, unknown>>

/**
 * Returns why a call needs `confirm: true`, or null. The rules read the route and not the tool, so a new tool cannot
 * be without them.
 */
export function confirmationOf(route: Confirmed, args: Arguments): string | null {
  if (args.confirm === true) return null
  if (deletes(route)) return 'This call deletes something.'
  if (isOfCampaign(route)) return 'This call concerns email to many people.'
  if (changesMail(route)) return 'This call changes what people receive from now on.'
  const recipients = sends(route) ? countRecipients(args) : 0
  return recipients > UNCONFIRMED_RECIPIENTS_MAX ? `This call sends to ${recipients} recipients.` : null
}

/** Returns the description of the argument `confirm`, or null for a tool that never needs one. */
export function describeConfirm(route: Confirmed): string | null {
  if (deletes(route) || isOfCampaign(route) || changesMail(route)) return 'Must be true. Ask the user first.'
  return sends(route)
    ? `Must be true to send to more than ${UNCONFIRMED_RECIPIENTS_MAX} recipients. Ask the user first.`
    : null
}

const deletes = ({ method }: Confirmed) => method === 'DELETE'
/** Campaigns and automations send to many. */
const isOfCampaign = ({ method, path, changesNothing }: Confirmed) =>
  method !== 'GET' && changesNothing !== true && /^\/(campaigns|broadcasts|automations)\b/.test(path)
/** Templates and suppressions decide on emails to come, and a canceled email is not sent. */
const changesMail = ({ method, path, changesNothing }: Confirmed) =>
  method !== 'GET' &&
  changesNothing !== true &&
  /^\/(templates|suppressions)\b|^\/emails\/:id\/cancel$/.test(path)
const sends = ({ limit }: Confirmed) => limit === 'send'

/** Counts the addresses in `to`, `cc` and `bcc`, in one email or in each of `emails`. */
function countRecipients(args: Arguments): number {
  const emails = Array.isArray(args.emails) ? (args.emails as Arguments[]) : [args]
  const lists = emails.flatMap((email) => [email?.to, email?.cc, email?.bcc])
  return lists.reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : list == null ? 0 : 1),
    0,
  )
}
