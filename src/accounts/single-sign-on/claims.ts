import { isAtLeast } from '../../access/roles.ts'
import type { GroupRole } from '../../config/single-sign-on.ts'
import { escapeControls } from '../../lib/text/foreign-text.ts'
import { readAddressKey } from '../../mime/address.ts'

/** The claims of a person, from the ID token and the userinfo response. */
export type Claims = Readonly<Record<string, unknown>> & { sub: string }

const GROUPS_MAX = 1_000
const NAME_CHARS_MAX = 255
const SUBJECT_CHARS_MAX = 255

/**
 * Returns the claims of an ID token with those of the userinfo response that it lacks. The address and its verification
 * both come from the same document: mixed, they could mark an address as verified that the provider did not verify.
 */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const { email, email_verified, ...rest } = userInfo
  const hasAddress = idToken.email !== undefined || idToken.email_verified !== undefined
  return { ...rest, ...(hasAddress ? {} : { email, email_verified }), ...idToken }
}

/**
 * Returns the person's address, in normalized form, or null. Only an address that the provider has verified
 * (`email_verified` is true, not the text "true") and that is at one of the domains counts.
 */
export function verifiedAddress(claims: Claims, domains: readonly string[]): string | null {
  if (claims.email_verified !== true || typeof claims.email !== 'string') return null
  const address = readAddressKey(claims.email)
  const domain = address?.slice(address.lastIndexOf('@') + 1)
  return domain !== undefined && domains.includes(domain) ? address : null
}

/** Returns the name for a new user. People choose it at many providers, so it may contain anything. */
export function personNameOf(claims: Claims, address: string): string {
  const name = typeof claims.name === 'string' ? claims.name.slice(0, NAME_CHARS_MAX).trim() : ''
  return escapeControls(name === '' ? address : name)
    .slice(0, NAME_CHARS_MAX)
    .toWellFormed()
}

/** Returns whether a subject can be stored. It has at most 255 characters (OpenID Connect Core 1.0 section 2). */
export function isSubject(sub: string): boolean {
  return sub.length <= SUBJECT_CHARS_MAX && sub.isWellFormed() && !/\p{Cc}/u.test(sub)
}

/**
 * Returns the role that the person's groups give in each team; of several, the most powerful.
 * @param claim the name of the claim; its value is a list of names, or one name
 * @param firstTeamId the team of entries without a team; null if there is none
 */
export function rolesByTeam(
  claims: Claims,
  { claim, roles, firstTeamId }: { claim: string; roles: readonly GroupRole[]; firstTeamId: string | null },
): Map<string, GroupRole['role']> {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : []
  const groups = new Set((Array.isArray(value) ? value : [value]).slice(0, GROUPS_MAX))
  const byTeam = new Map<string, GroupRole['role']>()
  for (const { group, role, teamId } of roles) {
    const team = teamId ?? firstTeamId
    if (team === null || !groups.has(group)) continue
    const highest = byTeam.get(team)
    if (highest === undefined || !isAtLeast(highest, role)) byTeam.set(team, role)
  }
  return byTeam
}
