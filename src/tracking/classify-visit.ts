import { BlockList, isIP } from 'node:net'

/** One request for a pixel or a link. */
export interface Visit {
  method: string
  ipAddress: string
  userAgent: string | null
  /** The Sec-Purpose, Purpose, X-Purpose or X-Moz header, with which browsers mark prefetches. */
  purpose: string | null
  /** Milliseconds since the recipient's server accepted the email; null if unknown. */
  sinceDeliveryMs: number | null
  /** No server has accepted the email yet, so the visit comes from a system that relays it. */
  isUnsent: boolean
}

/** Nobody opens an email and follows a link within this time, but scanners follow all links immediately. */
const TOO_SOON_MS = 2_000

/**
 * The user agent that Apple's Mail Privacy Protection, and proxies in Apple's network, send when they fetch images.
 */
const APPLE_AGENT = 'Mozilla/5.0'
const APPLE = new BlockList()
APPLE.addSubnet('17.0.0.0', 8, 'ipv4')
APPLE.addSubnet('2620:149::', 32, 'ipv6')
APPLE.addSubnet('2a01:b740::', 32, 'ipv6')

/** User agents of programs. The first match wins. To recognize a new program, add a row and a test. */
const AGENTS: readonly { reason: string; pattern: RegExp }[] = [
  { reason: 'google_image_proxy', pattern: /GoogleImageProxy|ggpht\.com/i },
  { reason: 'yahoo_mail_proxy', pattern: /Yahoo!? ?Mail ?Proxy/i },
  {
    reason: 'security_scanner',
    pattern:
      /barracuda|mimecast|proofpoint|symantec|messagelabs|trend ?micro|sophos|forcepoint|fortinet|fortiguard|fireeye|cisco|ironport|cloudmark|avanan|checkpoint|bitdefender|kaspersky|zscaler|safelinks|microsoft (?:office|exchange|defender) protection|threat|sandbox|phish|malware|virus/i,
  },
  {
    reason: 'link_preview',
    pattern:
      /facebookexternalhit|facebookbot|slackbot|slack-imgproxy|twitterbot|linkedinbot|discordbot|telegrambot|whatsapp|skypeuripreview|google-?(?:read-aloud|safety|inspectiontool|docs|chat)|bingpreview|embedly|iframely|preview/i,
  },
  {
    reason: 'program',
    pattern:
      /bot\b|crawl|spider|scan|headless|phantomjs|puppeteer|playwright|selenium|curl\/|wget\/|python|go-http-client|java\/|okhttp|apache-httpclient|node-fetch|undici|axios|libwww|lwp|ruby|perl|php\/|guzzle|postman|httpie|monitor|check|fetch/i,
  },
]

/**
 * Returns the reason why a visit counts as a machine's, or null if it may be a person's. A visit without a reason may
 * still come from a disguised machine.
 */
export function classifyVisit(kind: 'opened' | 'clicked', visit: Visit): string | null {
  const { method, userAgent, purpose, sinceDeliveryMs } = visit
  if (method === 'HEAD') return 'head_request'
  if (purpose !== null && /prefetch|preview|prerender/i.test(purpose)) return 'prefetch'
  if (userAgent === null || userAgent.trim() === '') return 'no_user_agent'
  if (userAgent.trim() === APPLE_AGENT || isApple(visit.ipAddress)) return 'apple_mail_privacy'
  const agent = AGENTS.find(({ pattern }) => pattern.test(userAgent))
  if (agent !== undefined) return agent.reason
  if (visit.isUnsent) return 'not_delivered'
  if (kind === 'clicked' && sinceDeliveryMs !== null && sinceDeliveryMs < TOO_SOON_MS) return 'too_soon'
  return null
}

function isApple(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && APPLE.check(address, version === 4 ? 'ipv4' : 'ipv6')
}
