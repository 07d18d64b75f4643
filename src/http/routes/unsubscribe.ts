import Type from 'typebox'
import { optInAgain, optOut } from '../../operations/opt-out.ts'
import { tellUnsubscribe } from '../../operations/tell-unsubscribe.ts'
import { readUnsubscribeToken, type UnsubscribeLink } from '../../operations/unsubscribe-links.ts'
import { scopeText } from '../../operations/unsubscribe-scope.ts'
import { type Reply, type Route, route } from '../route.ts'
import type { Services } from '../services.ts'
import { renderUnknownLink, renderUnsubscribePage, unsubscribePolicy } from '../unsubscribe-page.ts'

const common = { tag: 'Unsubscribe', permission: 'public', limit: 'general' } as const
const Token = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 1024, description: 'From the link of an email.' }),
})
const FromPage = Type.Object({
  page: Type.Optional(
    Type.String({ maxLength: 1, description: '1 when the page sends it, not a mail program.' }),
  ),
})
const PAGE = { description: 'A page for people.', type: 'text/html' }
const responses = { 200: PAGE, 404: { ...PAGE, description: 'The link is none of ours, or was changed.' } }

/** Scanners fetch every link of an email: looking changes nothing (RFC 8058 section 3.1). */
const showUnsubscribe = route('GET', '/unsubscribe/:token', {
  ...common,
  summary: 'The page behind an unsubscribe link',
  description: 'Changes nothing; its button sends the POST.',
  params: Token,
  responses,
  handle: ({ params: { token }, services }) => answer(services, { token, base: '' }, async () => {}),
})

const unsubscribe = route('POST', '/unsubscribe/:token', {
  ...common,
  summary: 'Unsubscribe with one click',
  description:
    'What mail programs send for List-Unsubscribe-Post (RFC 8058). Once is enough; again changes nothing.',
  takesAnyBody: true,
  params: Token,
  query: FromPage,
  responses,
  handle: ({ params: { token }, query, services }) =>
    answer(services, { token, base: '' }, async (link) => {
      const source = query.page === undefined ? 'one_click' : 'link'
      await optOut(services.db, link, source, services.clock.now())
    }),
})

const subscribeAgain = route('POST', '/unsubscribe/:token/undo', {
  ...common,
  summary: 'Take an unsubscription back',
  description: 'The second button of the page.',
  takesAnyBody: true,
  params: Token,
  responses,
  handle: ({ params: { token }, services }) =>
    answer(services, { token, base: '../' }, async ({ teamId, scope, email }) => {
      await optInAgain(services.db, teamId, { scope: scopeText(scope), email }, services.clock.now())
    }),
})

/** Does it, and shows how things are then. Its form leads to the same host that it was asked of: `base` is the way up. */
async function answer(
  { db, linkKeys }: Services,
  { token, base }: { token: string; base: string },
  work: (link: UnsubscribeLink) => Promise<void>,
): Promise<Reply> {
  const link = readUnsubscribeToken(linkKeys.unsubscribe, token)
  const before = link === null ? null : await tellUnsubscribe(db, link)
  if (link === null || before === null) return page(404, renderUnknownLink())
  await work(link)
  const told = (await tellUnsubscribe(db, link)) ?? before
  const html = renderUnsubscribePage({
    ...told,
    state: told.isUnsubscribed ? 'unsubscribed' : 'subscribed',
    email: link.email,
    action: base + (told.isUnsubscribed ? `${token}/undo` : `${token}?page=1`),
  })
  return page(200, html)
}

function page(status: number, html: string): Reply {
  const headers = { 'content-security-policy': unsubscribePolicy(), 'x-robots-tag': 'noindex' }
  return { status, bytes: html, type: 'text/html; charset=utf-8', headers }
}

export const unsubscribeRoutes: readonly Route[] = [showUnsubscribe, unsubscribe, subscribeAgain]
