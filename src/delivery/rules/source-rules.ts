import { isIP } from 'node:net'
import Type, { type Static } from 'typebox'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { MAIL_CLASSES } from '../../queue/mail-class.ts'
import { PROVIDER_GROUPS, type ProviderGroup } from './provider-groups.ts'
import { readTagMatch, type TagMatch, TagText } from './tag-match.ts'
import { startOfUtcDay, USUAL_SCHEDULE, type Warmup } from './warmup.ts'

/** A local address that connections leave from, and its EHLO name. Limits are counted per source. */
export interface Source {
  name: string
  /** Local IP to bind, or null for the system's choice. */
  address: string | null
  ehloName: string
}

const SOURCES_MAX = 256
const ASSIGNMENTS_MAX = 1000
const closed = { additionalProperties: false }

const Name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
  description: 'a name of letters, digits, dots and hyphens',
})
const HostName = Type.String({
  pattern:
    '^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$',
  description: 'a host name',
})
const Schedule = Type.Array(
  Type.Integer({ minimum: 0, maximum: 100_000_000, description: 'a number of messages a day' }),
  {
    minItems: 1,
    maxItems: 366,
    description: 'numbers of messages, one for each day of warming',
  },
)
const Groups = Type.Object(
  Object.fromEntries(PROVIDER_GROUPS.map((group) => [group, Type.Optional(Schedule)])) as Record<
    ProviderGroup,
    ReturnType<typeof Type.Optional<typeof Schedule>>
  >,
  closed,
)
const Schedules = { schedule: Type.Optional(Schedule), groups: Type.Optional(Groups) }

/** The sections of the rules file about source addresses. */
export const SOURCE_SECTIONS = {
  sources: Type.Optional(
    Type.Array(
      Type.Object(
        {
          name: Name,
          address: Type.String({ minLength: 2, maxLength: 45, description: 'an IP address' }),
          ehlo_name: HostName,
          warmup: Type.Optional(
            Type.Object(
              {
                started_at: Type.String({
                  pattern: '^\\d{4}-\\d{2}-\\d{2}',
                  maxLength: 35,
                  description: 'a date such as 2026-11-21',
                }),
                ...Schedules,
              },
              closed,
            ),
          ),
        },
        closed,
      ),
      { maxItems: SOURCES_MAX },
    ),
  ),
  pools: Type.Optional(
    Type.Array(
      Type.Object({ name: Name, sources: Type.Array(Name, { minItems: 1, maxItems: SOURCES_MAX }) }, closed),
      { maxItems: SOURCES_MAX },
    ),
  ),
  assign: Type.Optional(
    Type.Array(
      Type.Object(
        {
          match: Type.Object(
            {
              team: Type.Optional(
                Type.String({
                  pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
                  description: "a team's id",
                }),
              ),
              domain: Type.Optional(HostName),
              tag: Type.Optional(TagText),
              class: Type.Optional(
                Type.Enum([...MAIL_CLASSES], { description: `one of ${MAIL_CLASSES.join(', ')}` }),
              ),
            },
            { ...closed, minProperties: 1 },
          ),
          pool: Name,
        },
        closed,
      ),
      { maxItems: ASSIGNMENTS_MAX },
    ),
  ),
  warmup: Type.Optional(Type.Object(Schedules, closed)),
}

const Sections = Type.Object(SOURCE_SECTIONS)
export type SourceSections = Static<typeof Sections>

/** A source and its warm-up. */
export interface WarmingSource extends Source {
  address: string
  /** Null: it is warm. */
  warmup: Warmup | null
}

export interface Pool {
  name: string
  sources: readonly WarmingSource[]
}

/** Conditions that must all match an email; an absent one always does. */
export interface Match {
  team?: string
  /** The domain of the From address, lower case. */
  domain?: string
  tag?: TagMatch
  isBulk?: boolean
}

/** The resolved sections. */
export interface SourceRules {
  sources: readonly WarmingSource[]
  /** Includes the default pool. */
  pools: readonly Pool[]
  /** In order of precedence. */
  assignments: readonly { match: Match; pool: Pool }[]
  /** The pool of mail that no assignment matches. */
  defaultPool: Pool
  /** Whether any assignment needs these; otherwise they are not looked up. */
  asks: { domain: boolean; tags: boolean }
}

/** The name of the source that exists without rules; reserved. */
export const NO_SOURCE = 'default'
const DEFAULT_POOL = 'default'

/**
 * Resolves names and times. Null: no sources are configured.
 * @param problems collects sentences that begin with the place of the problem; use the result only when it stays empty
 */
export function resolveSources(sections: SourceSections, problems: string[]): SourceRules | null {
  const sources = new Map<string, WarmingSource>()
  for (const [index, source] of (sections.sources ?? []).entries()) {
    const at = `sources[${index}]`
    if (source.name === NO_SOURCE) problems.push(`${at}: no source can be named "${NO_SOURCE}".`)
    if (sources.has(source.name)) problems.push(`${at}: there is another source "${source.name}".`)
    const address = canonicalIp(source.address)
    if (address === null) problems.push(`${at}: "${source.address}" is not an IP address.`)
    const twin = [...sources.values()].find((one) => one.address === address)
    if (twin !== undefined)
      problems.push(`${at}: "${twin.name}" has the same address, and limits are per address.`)
    sources.set(source.name, {
      name: source.name,
      address: address ?? source.address,
      ehloName: source.ehlo_name.toLowerCase(),
      warmup:
        source.warmup === undefined ? null : resolveWarmup(source.warmup, sections.warmup, at, problems),
    })
  }
  const pools = resolvePools(sections, sources, problems)
  const assignments = (sections.assign ?? []).map(({ match, pool: name }, index) => {
    const pool = pools.get(name)
    if (pool === undefined) problems.push(`assign[${index}]: there is no pool "${name}".`)
    return { match: resolveMatch(match), pool: pool ?? { name, sources: [] } }
  })
  if (sources.size === 0) return null
  const all = [...sources.values()]
  const defaultPool = pools.get(DEFAULT_POOL) ?? { name: DEFAULT_POOL, sources: all }
  return {
    sources: all,
    pools: [...pools.set(DEFAULT_POOL, defaultPool).values()],
    assignments,
    defaultPool,
    asks: {
      domain: assignments.some(({ match }) => match.domain !== undefined),
      tags: assignments.some(({ match }) => match.tag !== undefined),
    },
  }
}

function resolvePools(
  { pools: poolSections }: SourceSections,
  sources: ReadonlyMap<string, WarmingSource>,
  problems: string[],
): Map<string, Pool> {
  const pools = new Map<string, Pool>()
  for (const [index, { name, sources: names }] of (poolSections ?? []).entries()) {
    if (pools.has(name)) problems.push(`pools[${index}]: there is another pool "${name}".`)
    const members = [...new Set(names)].flatMap((member) => {
      const source = sources.get(member)
      if (source === undefined) problems.push(`pools[${index}]: there is no source "${member}".`)
      return source ?? []
    })
    pools.set(name, { name, sources: members })
  }
  return pools
}

type GivenSchedules = NonNullable<SourceSections['warmup']>

/** The source's own schedule precedes the general one, and a group's precedes that of all groups. */
function resolveWarmup(
  schedules: GivenSchedules & { started_at: string },
  general: GivenSchedules = {},
  at: string,
  problems: string[],
): Warmup {
  const startedMs = Date.parse(schedules.started_at)
  if (Number.isNaN(startedMs))
    problems.push(`${at}.warmup.started_at: "${schedules.started_at}" is not a date.`)
  return {
    startedAt: startOfUtcDay(startedMs),
    scheduleOf: (group) =>
      schedules.groups?.[group] ??
      schedules.schedule ??
      general.groups?.[group] ??
      general.schedule ??
      USUAL_SCHEDULE,
  }
}

type GivenMatch = NonNullable<SourceSections['assign']>[number]['match']

function resolveMatch({ team, domain, tag, class: mailClass }: GivenMatch): Match {
  return omitUndefined({
    team: team?.toLowerCase(),
    domain: domain?.toLowerCase(),
    tag: tag === undefined ? undefined : readTagMatch(tag),
    isBulk: mailClass === undefined ? undefined : mailClass === 'bulk',
  })
}

/** Returns the canonical spelling of an address: `2001:DB8:0::1` is `2001:db8::1`. */
function canonicalIp(text: string): string | null {
  const family = isIP(text)
  if (family === 0 || text.includes('%')) return null
  return family === 4 ? text : new URL(`http://[${text}]`).hostname.slice(1, -1)
}
