import type { Finding } from './checks.ts'
import { findPlaces } from './variables.ts'

type Judgement = Pick<Finding, 'severity' | 'message'> | null

const QUOTED_CHARS_MAX = 80
/** Of a host: labels of letters and digits with dots between, an address in brackets, a port. */
const HOST =
  /^(\[[\da-f:.]+\]|[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*\.?)(:\d{1,5})?$/u
const HOST_CHARS_MAX = 259

/** What is wrong with where a link leads. What variables will say of it is anybody's guess. */
export function checkLink(given: string): Judgement {
  const href = given.trim()
  const shown = href.length > QUOTED_CHARS_MAX ? `${href.slice(0, QUOTED_CHARS_MAX)} …` : href
  if (href === '' || href === '#')
    return { severity: 'warning', message: 'This link leads nowhere: its href is empty.' }
  if (findPlaces(href)[0]?.index === 0 || href.startsWith('#')) return null
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  if (scheme === undefined)
    return { severity: 'error', message: `${shown} is no full address: begin it with https://.` }
  if (scheme === 'javascript' || scheme === 'data' || scheme === 'vbscript')
    return { severity: 'error', message: `Mail clients take links with ${scheme}: out.` }
  if (scheme !== 'http' && scheme !== 'https') return judgeScheme(scheme, shown)
  if (!isWeb(href))
    return { severity: 'error', message: `${shown} is no address that a browser understands.` }
  if (scheme === 'http') return { severity: 'warning', message: `${shown} goes without TLS. Use https.` }
  return null
}

const KNOWN = ['mailto', 'tel', 'sms', 'cid', 'webcal', 'geo']

function judgeScheme(scheme: string, shown: string): Judgement {
  if (KNOWN.includes(scheme)) return null
  // `example.com:8080/path` reads as a scheme; so does `htps:`.
  const isTypo = /^ht+p?s?$|^h?ttps?$|\./.test(scheme)
  return isTypo
    ? { severity: 'error', message: `${shown} is no full address: begin it with https://.` }
    : { severity: 'hint', message: `Not every device knows links with ${scheme}:.` }
}

function isWeb(href: string): boolean {
  const rest = /^https?:\/\/([^/?#]*)/i.exec(withoutPlaces(href))
  const host = rest?.[1]?.replace(/^[^@]*@/, '') ?? ''
  return host.length <= HOST_CHARS_MAX && HOST.test(host) && !/\s/.test(withoutPlaces(href))
}

/** With a letter in place of each variable. */
function withoutPlaces(href: string): string {
  let end = 0
  let out = ''
  for (const { index, length } of findPlaces(href)) {
    out += `${href.slice(end, index)}x`
    end = index + length
  }
  return out + href.slice(end)
}
