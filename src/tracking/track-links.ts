import { createHash } from 'node:crypto'
import { isTrackingHost } from '../domains/domain-records.ts'
import { readToken, signToken } from '../lib/crypto/signed-token.ts'
import { decodeUuid, encodeUuid, UUID_BYTES } from '../lib/ids.ts'
import { rewriteLinks } from '../mime/html/rewrite-links.ts'

/** The payload of a tracked link or pixel: its recipient and email and, for a link, its target. */
export interface TrackedVisit {
  kind: 'opened' | 'clicked'
  teamId: string
  emailId: string
  /** The recipient's position in the email; null if several recipients got the same message. */
  no: number | null
  /** Empty for the pixel. */
  link: string
}

/** The kinds of visits to track, and the base URLs, each scheme and host without a trailing slash. */
export interface Tracking {
  opens: boolean
  clicks: boolean
  /** Of the tracked links. */
  baseUrl: string
  /** Of the installation, which unsubscribe links have. */
  publicUrl: string
}

const VERSION = 2
const KINDS = ['opened', 'clicked'] as const
const TEAM_AT = 3
const EMAIL_AT = TEAM_AT + UUID_BYTES
const HOST_AT = EMAIL_AT + UUID_BYTES
const HOST_BYTES = 8
const LINK_AT = HOST_AT + HOST_BYTES
/** The position code of emails with several recipients. */
const SEVERAL = 255
/** Longer links are not tracked: with the token they would exceed what mail programs and browsers accept. */
const LINK_BYTES_MAX = 1500

/** Returns a digest of the host that a tracked link is requested on, long enough that no other host can match it. */
function hostDigest(host: string): Buffer {
  return createHash('sha256').update(host).digest().subarray(0, HOST_BYTES)
}

/** @param host the host that the tracked link is requested on; see `VisitHosts` */
export function makeVisitToken(key: Buffer, visit: TrackedVisit, host: string): string {
  const { kind, teamId, emailId, no, link } = visit
  const head = Buffer.of(VERSION, KINDS.indexOf(kind), no ?? SEVERAL)
  const ids = [encodeUuid(teamId), encodeUuid(emailId)]
  return signToken(key, Buffer.concat([head, ...ids, hostDigest(host), Buffer.from(link, 'utf8')]))
}

/** The hosts of a visit: the requested one, and the installation's. */
export interface VisitHosts {
  host: string
  publicHost: string
}

/**
 * Parses a token. Returns null for a token of another key or kind, or if the token is used on the tracking host of a
 * domain that it does not belong to, because a domain's name must not redirect to others' links. Behind a proxy that
 * sets its own Host, all requests have that name, so the check is skipped for the installation's host.
 */
export function readVisitToken(
  key: Buffer,
  kind: TrackedVisit['kind'],
  token: string,
  by: VisitHosts | null,
): TrackedVisit | null {
  const payload = readToken(key, token)
  if (payload === null || payload.length < LINK_AT || payload[0] !== VERSION) return null
  const [, kindCode, positionCode] = payload
  if (KINDS[kindCode ?? -1] !== kind) return null
  if (by !== null && isTrackingHost(by.host) && by.host !== by.publicHost) {
    if (!hostDigest(by.host).equals(payload.subarray(HOST_AT, LINK_AT))) return null
  }
  return {
    kind,
    teamId: decodeUuid(payload.subarray(TEAM_AT)),
    emailId: decodeUuid(payload.subarray(EMAIL_AT)),
    no: positionCode === SEVERAL ? null : (positionCode ?? 0),
    link: payload.toString('utf8', LINK_AT),
  }
}

const PIXEL_ATTRIBUTES = 'width="1" height="1" alt="" style="border:0;width:1px;height:1px"'
const PIXEL = new RegExp(`<img src="[^"]*/t/o/([\\w-]+)" ${PIXEL_ATTRIBUTES}>`, 'g')
const TRACKED_LINK = /\/t\/c\/([\w-]+)$/

/** Inserts the open pixel and the tracked links of one email into its HTML. Nothing else changes. */
export function trackHtml(
  key: Buffer,
  html: string,
  { opens, clicks, baseUrl, publicUrl }: Tracking,
  email: Pick<TrackedVisit, 'teamId' | 'emailId' | 'no'>,
): string {
  const host = new URL(baseUrl).hostname
  const pixel = () => {
    const token = makeVisitToken(key, { ...email, kind: 'opened', link: '' }, host)
    return `<img src="${baseUrl}/t/o/${token}" ${PIXEL_ATTRIBUTES}>`
  }
  const rewrite = (url: string) => {
    const link = cleanUrl(url)
    if (!isTrackable(link, [baseUrl, publicUrl])) return null
    return `${baseUrl}/t/c/${makeVisitToken(key, { ...email, kind: 'clicked', link }, host)}`
  }
  return rewriteLinks(html, { rewrite: clicks ? rewrite : () => null, ...(opens ? { append: pixel() } : {}) })
}

/**
 * Restores the HTML from before `trackHtml`, except for the escaping of its links, so that viewing it causes no visit.
 */
export function untrackHtml(
  key: Buffer,
  html: string,
  { teamId, emailId }: Pick<TrackedVisit, 'teamId' | 'emailId'>,
): string {
  const ofEmail = (kind: TrackedVisit['kind'], token: string) => {
    const visit = readVisitToken(key, kind, token, null)
    return visit?.teamId === teamId && visit.emailId === emailId ? visit : null
  }
  const rewrite = (url: string) => {
    const token = TRACKED_LINK.exec(url)?.[1]
    return token === undefined ? null : (ofEmail('clicked', token)?.link ?? null)
  }
  if (!html.includes('/t/')) return html
  return rewriteLinks(html, { rewrite }).replace(PIXEL, (pixel, token) =>
    ofEmail('opened', token) === null ? pixel : '',
  )
}

/**
 * Removes the characters that browsers ignore in a URL (URL Standard, section 4.4). Other white space is part of it.
 */
function cleanUrl(url: string): string {
  let from = 0
  let to = url.length
  while (from < to && url.charCodeAt(from) <= 0x20) from++
  while (to > from && url.charCodeAt(to - 1) <= 0x20) to--
  return url.slice(from, to).replace(/[\t\n\r]/g, '')
}

/** Returns whether a link is a web URL of acceptable length, and not one of our own tracking or unsubscribe links. */
function isTrackable(link: string, ownUrls: readonly string[]): boolean {
  if (!/^https?:\/\//i.test(link) || Buffer.byteLength(link) > LINK_BYTES_MAX) return false
  if (!URL.canParse(link)) return false
  const isOwn = (path: string) => ownUrls.some((url) => link.startsWith(url + path))
  return !['/t/c/', '/t/o/', '/unsubscribe/'].some(isOwn)
}
