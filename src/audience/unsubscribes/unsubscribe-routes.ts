import Type from 'typebox'
import type { Queryable } from '../../db/db-types.ts'
import {
  readUnsubscribeToken,
  TEST_TOKEN,
  type UnsubscribeLink,
} from '../../emails/accept/unsubscribe-links.ts'
import { scopeText } from '../../emails/request/unsubscribe-scope.ts'
import { findEmailFacts } from '../../events/email-facts-queries.ts'
import { isOneClick } from '../../http/route/one-click.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Reply, type Route, routesOf } from '../../http/route/route.ts'
import type { CountLimit } from '../../lib/async/count-limit.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import { findList } from '../lists/lists-queries.ts'
import { optInAgain, optOut } from './opt-out.ts'
import {
  renderTestLink,
  renderUnknownLink,
  renderUnsubscribePage,
  unsubscribePolicy,
} from './unsubscribe-page.ts'
import { findUnsubscription } from './unsubscriptions-queries.ts'

/** The parts of an unsubscribe link that its page shows. */
interface DescribedUnsubscribe {
  isUnsubscribed: boolean
  /** The From of the email, or the name of the account once the email is deleted. */
  sender: string
  /** The name of the list or topic. */
  subject: string
}

interface Deps extends Pick<ResourceDeps, 'db' | 'clock'> {
  hashAddress: HashAddress
  linkKeys: { unsubscribe: Buffer; tracking: Buffer }
  undoLimit: CountLimit
}

const { route } = routesOf<Deps>()

const common = { area: 'unsubscribe', permission: 'public' } as const
const Token = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 1024, description: 'Token of the unsubscribe link.' }),
})
const FromPage = Type.Object({
  page: Type.Optional(
    Type.String({
      maxLength: 1,
      description: '`1` if the unsubscribe page sends the request, not a mail client.',
    }),
  ),
})
const PAGE = { description: 'The unsubscribe page.', type: 'text/html' }
/** RFC 8058 section 3.2: one or two fields. The sender of this request has no API key. */
const BODY_BYTES_MAX = 4 * 1024
const responses = { 200: PAGE, 404: { ...PAGE, description: 'The link is invalid.' } }

/** Scanners fetch every link of an email, so GET changes nothing (RFC 8058 section 3.1). */
const showUnsubscribe = route('GET', '/unsubscribe/:token', {
  ...common,
  operationId: 'showUnsubscribePage',
  summary: 'Show the unsubscribe page',
  description: 'The page behind an unsubscribe link. It changes nothing; its button sends the POST.',
  params: Token,
  responses,
  handle: ({ params: { token }, deps }) => answer(deps, { token, base: '' }, async () => 200),
})

const unsubscribe = route('POST', '/unsubscribe/:token', {
  ...common,
  operationId: 'unsubscribe',
  summary: 'Unsubscribe with one click',
  description:
    'Mail clients send `List-Unsubscribe=One-Click` as a form (RFC 8058). Idempotent. Any other body changes nothing and returns 422 with the page, whose button sends `page=1`.',
  takesAnyBody: true,
  bodyBytesMax: BODY_BYTES_MAX,
  params: Token,
  query: FromPage,
  responses: {
    ...responses,
    422: { ...PAGE, description: 'The body is not a one-click unsubscribe request (RFC 8058).' },
  },
  handle: ({ params: { token }, query, deps, headers, body }) =>
    answer(deps, { token, base: '' }, async (link) => {
      const isByProgram = await isOneClick(String(headers['content-type'] ?? ''), body)
      if (!isByProgram && query.page === undefined) return 422
      const source = isByProgram ? 'one_click' : 'link'
      await optOut(deps.db, deps.hashAddress, link, source, deps.clock.now())
      return 200
    }),
})

const subscribeAgain = route('POST', '/unsubscribe/:token/undo', {
  ...common,
  operationId: 'undoUnsubscribe',
  summary: 'Undo an unsubscription',
  description: 'The second button of the unsubscribe page.',
  takesAnyBody: true,
  bodyBytesMax: BODY_BYTES_MAX,
  params: Token,
  responses: {
    ...responses,
    429: { ...PAGE, description: 'The unsubscription was undone too often. Nothing changed.' },
  },
  handle: ({ params: { token }, deps }) =>
    answer(deps, { token, base: '../' }, async ({ teamId, scope, email }) => {
      const target = { scope: scopeText(scope), email }
      const now = deps.clock.now()
      if (!deps.undoLimit.admit([teamId, target.scope, email].join('\n'), now.getTime())) return 429
      await optInAgain(deps.db, deps.hashAddress, teamId, target, now)
      return 200
    }),
})

/**
 * Runs `work` and returns the page with the resulting state, with the status of `work`. The form leads to the host of
 * the request; `base` is the relative path up.
 */
async function answer(
  { db, linkKeys, hashAddress }: Deps,
  { token, base }: { token: string; base: string },
  work: (link: UnsubscribeLink) => Promise<200 | 422 | 429>,
): Promise<Reply> {
  if (token === TEST_TOKEN) return page(200, renderTestLink())
  const link = readUnsubscribeToken(linkKeys.unsubscribe, token)
  const before = link === null ? null : await describeUnsubscribe(db, hashAddress, link)
  if (link === null || before === null) return page(404, renderUnknownLink())
  const status = await work(link)
  const current = (await describeUnsubscribe(db, hashAddress, link)) ?? before
  const html = renderUnsubscribePage({
    ...current,
    state: current.isUnsubscribed ? 'unsubscribed' : 'subscribed',
    email: link.email,
    action: base + (current.isUnsubscribed ? `${token}/undo` : `${token}?page=1`),
  })
  return page(status, html)
}

function page(status: number, html: string): Reply {
  const headers = { 'content-security-policy': unsubscribePolicy(), 'x-robots-tag': 'noindex' }
  return { status, bytes: html, type: 'text/html; charset=utf-8', headers }
}

/** Returns null if the team no longer exists. */
async function describeUnsubscribe(
  db: Queryable,
  hashAddress: HashAddress,
  link: UnsubscribeLink,
): Promise<DescribedUnsubscribe | null> {
  const { teamId, emailId, scope, email } = link
  const team = await findTeam(db, teamId)
  if (team === null) return null
  const facts = await findEmailFacts(db, teamId, [emailId])
  const row = await findUnsubscription(db, teamId, scopeText(scope), [email, hashAddress(teamId, email)])
  const list = scope.kind === 'list' ? await findList(db, teamId, scope.listId) : null
  return {
    isUnsubscribed: row !== null,
    sender: facts.get(emailId)?.sender ?? team.name,
    subject: scope.kind === 'topic' ? scope.topic : (list?.name ?? 'this list'),
  }
}

export const unsubscribeRoutes: readonly Route<Deps>[] = [showUnsubscribe, unsubscribe, subscribeAgain]
