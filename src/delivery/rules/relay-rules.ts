import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Type, { type Static } from 'typebox'
import { CATEGORIES } from '../../classification/verdict-categories.ts'
import type { Relay } from '../../config/relay.ts'
import { REPLACEABLE_FIELDS, readRelay } from '../../config/relay.ts'
import { durationOf } from './quantities.ts'
import { DURATION, SiteMatch } from './shaping-rules.ts'
import { readTagMatch, type TagMatch, TagText } from './tag-match.ts'

const RELAYS_MAX = 100
const ROUTES_MAX = 1000
const HOPS_MAX = 10
const TAGS_MAX = 100
const SECRET_LENGTH_MAX = 1000
const closed = { additionalProperties: false }

const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'
const Name = Type.String({
  pattern: NAME_PATTERN,
  description: 'a name of letters, digits, dots and hyphens',
})
const HOPS = `the name of a relay, "direct", or a list of 1 to ${HOPS_MAX} of these in order of attempts`
const TAGS = `a list of 1 to ${TAGS_MAX} tags, each as name or name=value`
const categories = Object.keys(CATEGORIES)

const RelayRule = Type.Object(
  {
    name: Name,
    url: Type.String({
      pattern: '^smtps?://[^\\s/?#]+/?$',
      maxLength: 2000,
      description: 'smtp(s)://user:password@host:port',
    }),
    passwordFile: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: 'the path of a file' }),
    ),
    unsigned: Type.Optional(
      Type.Array(Type.Enum([...REPLACEABLE_FIELDS], { description: '"date" or "message-id"' }), {
        minItems: 1,
        maxItems: REPLACEABLE_FIELDS.length,
      }),
    ),
  },
  closed,
)

const RouteRule = Type.Object(
  {
    match: Type.Optional(
      Type.Object(
        {
          ...SiteMatch,
          team: Type.Optional(
            Type.Array(
              Type.String({
                pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
                description: "a team's id",
              }),
              { minItems: 1, maxItems: 1000 },
            ),
          ),
          tag: Type.Optional(Type.Array(TagText, { minItems: 1, maxItems: TAGS_MAX, description: TAGS })),
        },
        { ...closed, minProperties: 1 },
      ),
    ),
    via: Type.Optional(
      Type.Union([
        Type.String({ pattern: NAME_PATTERN, description: HOPS }),
        Type.Array(Name, { minItems: 1, maxItems: HOPS_MAX, description: HOPS }),
      ]),
    ),
    fallback: Type.Optional(Name),
    fallback_after: Type.Optional(
      Type.Union([
        Type.String({
          pattern: `^\\d{1,3} attempts?$|${DURATION}`,
          description: 'a number of attempts ("2 attempts"), a duration ("1h"), or a list of categories',
        }),
        Type.Array(Type.Enum(categories, { description: 'a category of docs/deliverability.md' }), {
          minItems: 1,
          maxItems: categories.length,
        }),
      ]),
    ),
  },
  closed,
)

/** The relay sections of the rules file. */
export const RELAY_SECTIONS = {
  relays: Type.Optional(Type.Array(RelayRule, { maxItems: RELAYS_MAX })),
  routes: Type.Optional(Type.Array(RouteRule, { maxItems: ROUTES_MAX })),
}
const Sections = Type.Object(RELAY_SECTIONS)
type RelaySections = Static<typeof Sections>

/** When a delivery that failed on its first hop falls back to the relay. */
export type FallbackAfter =
  /** As soon as no host of the first hop can be reached, or its site is paused. */
  | { kind: 'unreachable' }
  | { kind: 'attempts'; count: number }
  | { kind: 'age'; ms: number }
  /** Once an attempt failed for one of these reasons, even a permanent one. */
  | { kind: 'categories'; names: ReadonlySet<string> }

/** One resolved routing rule. */
export interface RouteRule {
  mx: readonly string[] | null
  domain: ReadonlySet<string> | null
  team: ReadonlySet<string> | null
  /** Any one of these is enough. */
  tag: readonly TagMatch[] | null
  /** In order of preference, or null for direct delivery. */
  via: readonly (Relay | null)[]
  fallback: { relay: Relay; after: FallbackAfter } | null
}

/**
 * Resolves names and passwords. Problems never repeat any part of a URL, because it may hold a password.
 * @param directory the base of relative paths
 */
export function resolveRoutes(sections: RelaySections, directory: string, problems: string[]): RouteRule[] {
  const relays = new Map<string, Relay>()
  for (const [index, { name, url, passwordFile, unsigned }] of (sections.relays ?? []).entries()) {
    const at = `relays[${index}]`
    if (name === 'direct' || relays.has(name)) problems.push(`${at}.name: the name is taken.`)
    const relay = readRelay(url)
    if (relay === null) {
      problems.push(`${at}.url: it must be smtp(s)://user:password@host:port.`)
      continue
    }
    const isTwin = [...relays.values()].some(({ host, port }) => host === relay.host && port === relay.port)
    if (isTwin && !relays.has(name)) problems.push(`${at}.url: another relay has the same host and port.`)
    const password =
      passwordFile === undefined ? relay.password : readSecret(resolve(directory, passwordFile))
    if (password === undefined) problems.push(`${at}.passwordFile: the file cannot be read.`)
    if (passwordFile !== undefined && relay.password !== null)
      problems.push(`${at}.passwordFile: give the password in the URL or in a file, not both.`)
    if (relay.user === null && relay.password !== null) problems.push(`${at}.url: the password has no user.`)
    if (!relays.has(name))
      relays.set(name, { ...relay, password: password ?? null, unsigned: unsigned ?? [] })
  }
  const find: Find = (name, where) => {
    const relay = relays.get(name) ?? null
    if (relay === null) problems.push(`${where}: there is no relay "${name}".`)
    return relay
  }
  return (sections.routes ?? []).map((route, index) => {
    const at = `routes[${index}]`
    if (route.via === undefined && route.fallback === undefined)
      problems.push(`${at}: it must have via or fallback.`)
    if (route.fallback === undefined && route.fallback_after !== undefined)
      problems.push(`${at}.fallback_after: there is no fallback.`)
    const fallback = route.fallback === undefined ? null : find(route.fallback, `${at}.fallback`)
    return {
      mx: route.match?.mx?.map((name) => name.toLowerCase()) ?? null,
      domain: setOf(route.match?.domain),
      team: setOf(route.match?.team),
      tag: route.match?.tag?.map(readTagMatch) ?? null,
      via: resolveVia(route.via, `${at}.via`, find, problems),
      fallback: fallback === null ? null : { relay: fallback, after: readAfter(route.fallback_after) },
    }
  })
}

type Find = (name: string, where: string) => Relay | null

function resolveVia(
  via: string | readonly string[] | undefined,
  at: string,
  find: Find,
  problems: string[],
): (Relay | null)[] {
  if (via === undefined) return [null]
  if (typeof via === 'string') return [via === 'direct' ? null : find(via, at)]
  return via.map((name, index) => {
    const place = `${at}[${index}]`
    if (via.indexOf(name) < index) problems.push(`${place}: "${name}" occurs twice.`)
    return name === 'direct' ? null : find(name, place)
  })
}

const setOf = (names: readonly string[] | undefined) =>
  names === undefined ? null : new Set(names.map((name) => name.toLowerCase()))

function readAfter(after: string | readonly string[] | undefined): FallbackAfter {
  if (after === undefined) return { kind: 'unreachable' }
  if (typeof after !== 'string') return { kind: 'categories', names: new Set(after) }
  const attempts = /^(\d+) attempts?$/.exec(after)
  return attempts === null
    ? { kind: 'age', ms: durationOf(after) }
    : { kind: 'attempts', count: Number(attempts[1]) }
}

/**
 * Returns undefined when the file is unreadable or empty, or its text is too long. Read synchronously at start or
 * reload; the file is a few bytes.
 */
function readSecret(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return text !== '' && text.length <= SECRET_LENGTH_MAX ? text : undefined
  } catch {
    return undefined
  }
}
