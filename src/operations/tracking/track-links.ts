import { readToken, signToken } from '../../base/signed-token.ts'
import { rewriteLinks } from '../../mime/rewrite-links.ts'

/** What a tracked link or pixel says: which recipient of which email, and for a link where it leads. */
export interface TrackedVisit {
  kind: 'opened' | 'clicked'
  teamId: string
  emailId: string
  /** The recipient's place in the email; null when the email has several, who all got the same message. */
  no: number | null
  /** Empty for the pixel. */
  link: string
}

/** What of an email is to be tracked, and where its links lead. */
export interface Tracking {
  opens: boolean
  clicks: boolean
  /** Scheme and host, without a slash at the end. */
  baseUrl: string
}

const VERSION = 1
const KINDS = ['opened', 'clicked'] as const
const UUID_BYTES = 16
const LINK_AT = 3 + 2 * UUID_BYTES
/** 255: the email has several recipients. */
const SEVERAL = 255
/** Longer addresses are left alone: with the token they would pass what mail programs and browsers take. */
const LINK_LENGTH_MAX = 1500

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function toUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export function makeVisitToken(key: Buffer, { kind, teamId, emailId, no, link }: TrackedVisit): string {
  const head = Buffer.of(VERSION, KINDS.indexOf(kind), no ?? SEVERAL)
  return signToken(key, Buffer.concat([head, toBytes(teamId), toBytes(emailId), Buffer.from(link, 'utf8')]))
}

/** Null for a token that was not made with this key, or for the other kind. */
export function readVisitToken(key: Buffer, kind: TrackedVisit['kind'], token: string): TrackedVisit | null {
  const payload = readToken(key, token)
  if (payload === null || payload.length < LINK_AT || payload[0] !== VERSION) return null
  const [, kindCode, place] = payload
  if (KINDS[kindCode ?? -1] !== kind) return null
  return {
    kind,
    teamId: toUuid(payload.subarray(3, 3 + UUID_BYTES)),
    emailId: toUuid(payload.subarray(3 + UUID_BYTES, LINK_AT)),
    no: place === SEVERAL ? null : (place ?? 0),
    link: payload.toString('utf8', LINK_AT),
  }
}

/** Puts the open pixel and the links of one email into its html. Nothing else of it is changed. */
export function trackHtml(
  key: Buffer,
  html: string,
  { opens, clicks, baseUrl }: Tracking,
  email: Pick<TrackedVisit, 'teamId' | 'emailId' | 'no'>,
): string {
  const pixel = () => {
    const token = makeVisitToken(key, { ...email, kind: 'opened', link: '' })
    return `<img src="${baseUrl}/t/o/${token}" width="1" height="1" alt="" style="border:0;width:1px;height:1px">`
  }
  const rewrite = (url: string) => {
    const link = url.trim()
    if (!isTrackable(link, baseUrl)) return null
    return `${baseUrl}/t/c/${makeVisitToken(key, { ...email, kind: 'clicked', link })}`
  }
  return rewriteLinks(html, { rewrite: clicks ? rewrite : () => null, ...(opens ? { append: pixel() } : {}) })
}

/** Web addresses alone, and none that is a link of ours already. */
function isTrackable(link: string, baseUrl: string): boolean {
  if (!/^https?:\/\//i.test(link) || link.length > LINK_LENGTH_MAX || !URL.canParse(link)) return false
  return !['/t/c/', '/t/o/', '/unsubscribe/'].some((path) => link.startsWith(baseUrl + path))
}
