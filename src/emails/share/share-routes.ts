import Type, { type Static } from 'typebox'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Reply, type Route, routesOf } from '../../http/route/route.ts'
import { IdParams, Text, Timestamp, Uuid } from '../../http/route/schemas.ts'
import { ApiError, invalidField, orNotFound } from '../../lib/api-error.ts'
import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { parseNaturalTime } from '../../lib/time/natural-time.ts'
import { workOnContent } from '../content/heavy-content.ts'
import { readInTurn } from '../read/large-reads.ts'
import { readAttachment } from '../read/read-attachment.ts'
import type { Email } from '../read/read-emails-queries.ts'
import { type ContentDeps, requireContent, requireEmail } from '../read/require-email.ts'
import { readShareToken, shareUrl } from '../read/share-link.ts'
import { renderSharedPage, SHARED_POLICY } from './shared-page.ts'

const ShareBody = Type.Object(
  {
    expires_in: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'How long the link works: `2 hours`, up to 30 days. Default: 48 hours.',
      }),
    ),
  },
  { examples: [{ expires_in: '2 hours' }] },
)
type ShareBody = Static<typeof ShareBody>

const SharedEmailAnswer = Type.Object(
  { object: Type.Literal('email'), id: Uuid, url: Text('The link.'), expires_at: Timestamp },
  {
    title: 'SharedEmail',
    examples: [
      {
        object: 'email',
        id: '0198c0de-0000-7000-8000-0000000000e1',
        url: 'https://mail.example.com/shared/AZjA3g',
        expires_at: '2026-01-17 09:30:00',
      },
    ],
  },
)

const ShareToken = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 1024, description: 'Token of the link.' }),
})

interface Deps extends Pick<ResourceDeps, 'db' | 'clock' | 'config'>, ContentDeps {
  largeReads: FairSemaphore
  linkKeys: { share: Buffer; tracking: Buffer }
}

const { route } = routesOf<Deps>()

const HOUR_MS = 3_600_000
const SHARE_MS = 48 * HOUR_MS
const SHARE_MAX_MS = 30 * 24 * HOUR_MS
const COMMON = { area: 'emails', permission: 'full' } as const

const shareEmail = route('POST', '/emails/:id/share', {
  ...COMMON,
  operationId: 'shareEmail',
  action: 'emails.share',
  summary: 'Share an email by a public link',
  description:
    'Anyone who has the link sees the email, without bcc, until the link expires. It cannot be revoked, but fails once retention or erasure has deleted the content.',
  params: IdParams,
  body: ShareBody,
  responses: { 200: { description: 'The link.', schema: SharedEmailAnswer } },
  async handle({ caller, params, body, deps: { clock, config, linkKeys }, audited }) {
    const { teamId } = caller
    // A link is not stored. The transaction writes only the audit entry, and reads the email that the entry names.
    const { emailId, expiresAt } = await audited.transaction(async (tx) => {
      const email = await requireEmail(tx, caller, params.id)
      return { emailId: email.id, expiresAt: readExpiry(body, clock.now()) }
    })
    const url = shareUrl(config, linkKeys.share, { teamId, emailId, attachment: null, expiresAt })
    return { status: 200, json: { object: 'email', id: emailId, url, expires_at: formatTime(expiresAt) } }
  },
})

function readExpiry({ expires_in: text }: ShareBody, now: Date): Date {
  const at = text === undefined ? new Date(now.getTime() + SHARE_MS) : parseNaturalTime(`in ${text}`, now)
  const ms = at === null ? 0 : at.getTime() - now.getTime()
  if (at !== null && ms > 0 && ms <= SHARE_MAX_MS) return at
  throw invalidField(
    'expires_in',
    'The expires_in field must be a duration of at most 30 days, such as 2 hours.',
  )
}

/** No search engine lists a shared page or file, and no window that opened it reaches it. */
const PUBLIC_HEADERS = { 'x-robots-tag': 'noindex', 'cross-origin-opener-policy': 'same-origin' }

const showShared = route('GET', '/shared/:token', {
  ...COMMON,
  permission: 'public',
  operationId: 'showSharedEmail',
  summary: 'Show a shared email or attachment',
  description: 'The page or file behind a public link. Returns 410 once the link has expired.',
  params: ShareToken,
  responses: { 200: { description: 'The page or file.', type: 'text/html' } },
  async handle({ params, deps }) {
    const link = orNotFound(readShareToken(deps.linkKeys.share, params.token))
    const { teamId, emailId, attachment, expiresAt } = link
    if (expiresAt.getTime() <= deps.clock.now().getTime()) {
      throw new ApiError('invalid_link', 'This link has expired.')
    }
    const email = await requireEmail(deps.db, { teamId, domainId: null }, emailId)
    const read = () =>
      attachment === null ? showEmail(deps, email, expiresAt) : readAttachment(deps, email, attachment)
    const reply = await readInTurn(deps, teamId, email.sizeBytes, read)
    return { ...reply, headers: { ...reply.headers, ...PUBLIC_HEADERS } }
  },
})

async function showEmail(deps: Deps, email: Email, expiresAt: Date): Promise<Reply> {
  const { config, linkKeys } = deps
  const { attachments, encoding, message } = await requireContent(deps, email)
  const { id: emailId, teamId, sizeBytes } = email
  // Visits of this page are not visits of the recipient.
  const untracking = { key: linkKeys.tracking, email: { teamId, emailId } }
  const job = { stored: { encoding, message }, untracking }
  const { html, text } = await workOnContent('texts', { teamId, sizeBytes, handedOver: [message] }, job)
  const page = renderSharedPage({
    from: email.sender,
    to: email.addressees.to,
    cc: email.addressees.cc,
    subject: email.subject,
    date: formatTime(email.createdAt),
    html,
    text,
    attachments: attachments.map(({ filename }, attachment) => ({
      filename,
      url: shareUrl(config, linkKeys.share, { teamId, emailId, attachment, expiresAt }),
    })),
  })
  const headers = { 'content-security-policy': SHARED_POLICY }
  return { status: 200, bytes: page, type: 'text/html; charset=utf-8', headers }
}

export const shareRoutes: readonly Route<Deps>[] = [shareEmail, showShared]
