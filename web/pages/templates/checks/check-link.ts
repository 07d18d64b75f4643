import type { Finding } from './finding.ts'
import { findPlaces } from './variables.ts'

type Problem = Pick<Finding, 'severity' | 'message'> | null

const QUOTED_CHARS_MAX = 80
/**
 * Matches a host with an optional port: labels of letters and digits separated by dots, or an IP address in brackets.
 */
const HOST =
  /^(\[[\da-f:.]+\]|[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*\.?)(:\d{1,5})?$/u
const HOST_CHARS_MAX = 259

/** Returns what is wrong with a link's target. Variables in it may stand for anything. */
export function checkLink(text: string): Problem {
  const href = text.trim()
  const label = href.length > QUOTED_CHARS_MAX ? `${href.slice(0, QUOTED_CHARS_MAX)} …` : href
  if (href === '' || href === '#')
    return { severity: 'warning', message: 'This link leads nowhere: its href is empty.' }
  if (findPlaces(href)[0]?.index === 0 || href.startsWith('#')) return null
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  if (scheme === undefined)
    return { severity: 'error', message: `${label} is not an absolute URL. Start it with https://.` }
  if (scheme === 'javascript' || scheme === 'data' || scheme === 'vbscript')
    return { severity: 'error', message: `Mail clients remove ${scheme}: links.` }
  if (scheme !== 'http' && scheme !== 'https') return checkScheme(scheme, label)
  if (!isWeb(href)) return { severity: 'error', message: `${label} is not a valid URL.` }
  if (scheme === 'http') return { severity: 'warning', message: `${label} does not use TLS. Use https.` }
  return null
}

const KNOWN = ['mailto', 'tel', 'sms', 'cid', 'webcal', 'geo']

function checkScheme(scheme: string, label: string): Problem {
  if (KNOWN.includes(scheme)) return null
  // `example.com:8080/path` parses as a scheme; `htps:` is a misspelled one.
  const isTypo = /^ht+p?s?$|^h?ttps?$|\./.test(scheme)
  return isTypo
    ? { severity: 'error', message: `${label} is not an absolute URL. Start it with https://.` }
    : { severity: 'hint', message: `Not every device supports ${scheme}: links.` }
}

function isWeb(href: string): boolean {
  const rest = /^https?:\/\/([^/?#]*)/i.exec(withoutPlaces(href))
  const host = rest?.[1]?.replace(/^[^@]*@/, '') ?? ''
  return host.length <= HOST_CHARS_MAX && HOST.test(host) && !/\s/.test(withoutPlaces(href))
}

/** Returns the target with a letter in place of each variable. */
function withoutPlaces(href: string): string {
  let end = 0
  let out = ''
  for (const { index, length } of findPlaces(href)) {
    out += `${href.slice(end, index)}x`
    end = index + length
  }
  return out + href.slice(end)
}
