import { isIP, isIPv4, isIPv6 } from 'node:net'
import { type Relay, readRelay } from './relay.ts'

export type DeliveryMode =
  | { kind: 'capture' }
  | { kind: 'direct' }
  | { kind: 'relay'; relays: readonly Relay[] }

/** A port to listen on. If a default port is in use, the server starts without it. A configured port must be free. */
export interface ListenPort {
  port: number
  isSet: boolean
}

/** A setting has an invalid value. The message says what is wrong and what is valid. */
export class BadSetting extends Error {}

const HOUR_MS = 3_600_000
export const LIFETIME_MAX_MS = 5 * 24 * HOUR_MS
const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS }

export function durationMs(text: string): number {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim())
  if (match === null) throw new BadSetting(`"${text}" is not a duration such as 30s, 5m, 4h or 3d`)
  return Number(match[1]) * (UNITS[match[2] as string] as number)
}

export function portNumber<Fallback extends number | null>(fallback: Fallback) {
  return (text: string | undefined): number | Fallback => {
    if (text === undefined) return fallback
    const port = Number(text)
    if (!/^\d+$/.test(text) || port > 65_535) throw new BadSetting(`"${text}" is not a port (0-65535)`)
    return port
  }
}

/** Returns a parser of comma-separated ports from 1 to 65535, or `any`. The parser throws BadSetting. */
export function ports(fallback: string) {
  return (text: string | undefined): readonly number[] | 'any' => {
    const value = (text ?? fallback).trim()
    if (value === 'any') return 'any'
    return value.split(',').map((part) => {
      const port = portNumber(null)(part.trim()) as number
      if (port === 0) throw new BadSetting(`"${part.trim()}" is not a port (1-65535)`)
      return port
    })
  }
}

/** Returns a parser of a port to listen on, or `off` (null). The parser throws BadSetting. */
export function listenPort(fallback: number) {
  return (text: string | undefined): ListenPort | null => {
    if (text === 'off') return null
    if (text === undefined) return { port: fallback, isSet: false }
    return { port: portNumber(null)(text) as number, isSet: true }
  }
}

/** Parses a bearer token: too long to guess, and of characters that fit into a header. Throws BadSetting. */
export function longToken(text: string): string {
  if (/^[\x21-\x7e]{32,1000}$/.test(text)) return text
  throw new BadSetting('it must be 32 to 1000 printable ASCII characters without spaces')
}

/** Parses the name of a cell, which API keys contain. Throws BadSetting. */
export function cellName(text: string): string {
  if (/^[a-z0-9]{1,8}$/.test(text)) return text
  throw new BadSetting(`"${text}" is not a name of 1 to 8 characters a-z and 0-9`)
}

/** With a longer name, the channels of NOTIFY would exceed the 63 bytes of a PostgreSQL identifier. */
const SCHEMA_LENGTH_MAX = 40

/** Parses the name of a schema that needs no quotation marks. Throws BadSetting. */
export function schemaName(text: string): string {
  const isReserved = text.startsWith('pg_') || text === 'information_schema'
  if (/^[a-z_][a-z0-9_]*$/.test(text) && text.length <= SCHEMA_LENGTH_MAX && !isReserved) return text
  throw new BadSetting(
    `"${text}" is not the name of a schema: at most ${SCHEMA_LENGTH_MAX} characters a-z, 0-9 and _, and not one of PostgreSQL's own`,
  )
}

/** Parses an email address by its form only. Throws BadSetting. */
export function mailAddress(text: string): string {
  if (!/^[^\s@<>"]{1,64}@[^\s@<>"]{1,253}$/.test(text))
    throw new BadSetting(`"${text}" is not an email address`)
  return text
}

/** Parses `Name <address>` or an address. Throws BadSetting. */
export function sender(text: string): string {
  const [, bracketed] = /^[^<>\r\n]{0,200}<([^<>]+)>$/.exec(text) ?? []
  mailAddress(bracketed ?? text)
  return text
}

export function yesNo(text: string | undefined): boolean {
  if (text === undefined || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw new BadSetting(`"${text}" is neither true nor false`)
}

/** Returns a parser of a percentage such as 0.5% (0.005), or `off` (null). The parser throws BadSetting. */
export function share(fallback: string) {
  return (text: string | undefined): number | null => {
    if (text === 'off') return null
    const match = /^(\d{1,3}(?:\.\d{1,4})?)\s?%$/.exec((text ?? fallback).trim())
    const percent = Number(match?.[1])
    if (match === null || percent <= 0 || percent > 100)
      throw new BadSetting(`"${text}" is neither a percentage such as 0.5% nor off`)
    return percent / 100
  }
}

/** Returns a parser of a positive integer. The parser throws BadSetting. */
export function wholeNumber(fallback: number) {
  return (text: string | undefined): number => {
    if (text === undefined) return fallback
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new BadSetting(`"${text}" is not a positive integer`)
    return Number(text)
  }
}

/** Far more workers than are useful on the machines that Sendwright was written for. */
const WORKERS_MAX = 64

/** Parses a number of worker processes, or `auto`. Throws BadSetting. */
export function workerCount(text: string | undefined): number | 'auto' {
  if (text === undefined || text === 'auto') return 'auto'
  const count = Number(text)
  if (/^\d{1,2}$/.test(text) && count >= 1 && count <= WORKERS_MAX) return count
  throw new BadSetting(`"${text}" is neither auto nor a number from 1 to ${WORKERS_MAX}`)
}

/** Returns a parser of a retention in days, or `forever` (null). The parser throws BadSetting. */
export function keptDays(fallback: string, daysMin: number) {
  return (text: string | undefined): number | null => {
    const value = (text ?? fallback).trim()
    if (value === 'forever') return null
    const days = Number(/^(\d{1,5})d$/.exec(value)?.[1])
    if (days >= daysMin) return days
    throw new BadSetting(
      `"${value}" is neither a number of days such as 30d, at least ${daysMin}d, nor forever`,
    )
  }
}

/** The challenges by which a host is proven to a certificate authority (RFC 8555 section 8.3, RFC 8737). */
const ACME_CHALLENGES = ['http-01', 'tls-alpn-01'] as const
export type AcmeChallenge = (typeof ACME_CHALLENGES)[number]

/** Parses comma-separated challenges. Throws BadSetting. */
export function acmeChallenges(text: string): readonly AcmeChallenge[] {
  const names = text.split(',').map((name) => name.trim())
  const challenges = ACME_CHALLENGES.filter((name) => names.includes(name))
  if (challenges.length === names.length) return names as AcmeChallenge[]
  throw new BadSetting(`"${text}" is neither http-01, tls-alpn-01 nor both, comma-separated`)
}

/** The directory of Let's Encrypt (RFC 8555 section 7.1.1). */
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

/**
 * Parses the directory URL of a certificate authority, or `letsencrypt`. RFC 8555 section 6.1 requires https; a test
 * server on this machine may use http. Throws BadSetting.
 */
export function acmeDirectory(text: string): string {
  if (text === 'letsencrypt') return LETS_ENCRYPT
  if (/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)[:/])/.test(text) && URL.canParse(text)) return text
  throw new BadSetting(`"${text}" is neither letsencrypt nor the https URL of an ACME directory`)
}

export function hostName(text: string): string {
  if (
    !/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text)
  ) {
    throw new BadSetting(`"${text}" is not a host name`)
  }
  return text.toLowerCase()
}

/** Parses the address of a DNS server. A host name would need a DNS server first. Throws BadSetting. */
export function dnsServer(text: string): string {
  const server = text.trim()
  const [, bracketed, plain = '', port = '53'] =
    /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(server) ?? []
  const isAddress = isIP(server) !== 0 || isIPv6(bracketed ?? '') || isIPv4(plain)
  if (!isAddress || Number(port) > 65_535)
    throw new BadSetting(`"${server}" is not an address or address:port`)
  return server
}

function relay(text: string): Relay {
  const relayUrl = readRelay(text)
  if (relayUrl !== null) return relayUrl
  throw new BadSetting(
    /^smtps?:/i.test(text)
      ? 'a relay must look like smtp(s)://user:password@host:port'
      : 'delivery must be capture, direct, or smtp(s)://user:password@host:port, comma-separated',
  )
}

/** Parses a delivery mode. Throws BadSetting. */
export function deliveryMode(text: string | undefined): DeliveryMode {
  if (text === undefined || text === 'capture') return { kind: 'capture' }
  if (text === 'direct') return { kind: 'direct' }
  return { kind: 'relay', relays: text.split(',').map((part) => relay(part.trim())) }
}
