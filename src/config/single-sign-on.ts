import { BadSetting, durationMs } from './values.ts'

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const

/** The role that a group of the OpenID provider gives its members. */
export interface GroupRole {
  group: string
  role: (typeof ROLES)[number]
  /** Null: the oldest team. */
  teamId: string | null
}

/** Names of this machine, for which no authority issues certificates. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Returns whether a URL of the provider may be called: over TLS, or on this machine. */
export function isProviderUrl({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))
}

/** Parses the URL of an OpenID provider. Throws BadSetting. */
export function oidcIssuer(text: string | undefined): string | null {
  if (text === undefined) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !isProviderUrl(url)) throw new BadSetting(`"${text}" is not an https URL`)
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw new BadSetting(`"${text}" must have neither query, fragment nor user name`)
  return text
}

/** Parses scopes, which must include `openid`. Throws BadSetting. */
export function oidcScopes(text: string | undefined): string {
  const scopes = (text ?? 'openid email profile').trim().split(/\s+/)
  if (!scopes.includes('openid')) throw new BadSetting('it must include openid')
  return scopes.join(' ')
}

const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/

/** Parses comma-separated domains, in lower case and as A-labels. Throws BadSetting. */
export function mailDomains(text: string | undefined): readonly string[] {
  if (text === undefined) return []
  return text.split(',').map((part) => {
    const domain = part.trim().toLowerCase()
    if (!DOMAIN.test(domain)) throw new BadSetting(`"${part.trim()}" is not a domain such as example.com`)
    return domain
  })
}

const ENTRY = /^(.+)=(owner|admin|member|viewer)(?:@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?$/i

/**
 * Parses `GROUP=ROLE` or `GROUP=ROLE@TEAM_ID`, separated by semicolons, because names of groups contain commas. Throws
 * BadSetting.
 */
export function groupRoles(text: string | undefined): readonly GroupRole[] {
  const entries = (text ?? '').split(';').map((entry) => entry.trim())
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, group, role, teamId] = ENTRY.exec(entry) ?? []
      const knownRole = ROLES.find((each) => each === role)
      if (group === undefined || knownRole === undefined)
        throw new BadSetting(
          `"${entry}" is not GROUP=ROLE or GROUP=ROLE@TEAM_ID; roles are ${ROLES.join(', ')}`,
        )
      return { group: group.trim(), role: knownRole, teamId: teamId?.toLowerCase() ?? null }
    })
}

const SESSION_MS_MIN = 60_000
const SESSION_DAYS_MAX = 90
/** Maximum age of a session, even when it is used. */
export const SESSION_MS_MAX = SESSION_DAYS_MAX * 24 * 3_600_000

/** Parses the lifetime of a login. Throws BadSetting. */
export function sessionLifetime(text: string | undefined): number {
  const ms = durationMs(text ?? '12h')
  if (ms < SESSION_MS_MIN) throw new BadSetting(`"${text}" is shorter than 1m`)
  if (ms > SESSION_MS_MAX) throw new BadSetting(`"${text}" is longer than ${SESSION_DAYS_MAX}d`)
  return ms
}

/** Parses `on` or `off`. Throws BadSetting. */
export function onOff(text: string | undefined): boolean {
  if (text === undefined || text === 'on') return true
  if (text === 'off') return false
  throw new BadSetting(`"${text}" is neither on nor off`)
}
