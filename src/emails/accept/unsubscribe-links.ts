import { readToken, signToken } from '../../lib/crypto/signed-token.ts'
import { decodeUuid, encodeUuid, UUID_BYTES } from '../../lib/ids.ts'
import { makeUnsubscribeAddress } from '../../mime/unsubscribe-address.ts'
import { readScope, scopeText, type UnsubscribeScope } from './unsubscribe-scope.ts'

/** Who unsubscribes from what, as a link says it; the link works for as long as the installation's secret is the same. */
export interface UnsubscribeLink {
  teamId: string
  emailId: string
  scope: UnsubscribeScope
  /** In the form in which addresses are compared. */
  email: string
}

const VERSION = 1

/** The token of a link: it says all that is needed, so that it outlives the email that it came with. */
export function makeUnsubscribeToken(key: Buffer, link: UnsubscribeLink): string {
  const text = Buffer.from(`${scopeText(link.scope)}\n${link.email}`, 'utf8')
  return signToken(
    key,
    Buffer.concat([Buffer.of(VERSION), encodeUuid(link.teamId), encodeUuid(link.emailId), text]),
  )
}

/** Null for a token that was not made with this key. */
export function readUnsubscribeToken(key: Buffer, token: string): UnsubscribeLink | null {
  const payload = readToken(key, token)
  if (payload === null || payload[0] !== VERSION) return null
  const textAt = 1 + 2 * UUID_BYTES
  const [scopeWritten = '', email = ''] = payload.toString('utf8', textAt).split('\n')
  const scope = readScope(scopeWritten)
  if (scope === null || email === '') return null
  return {
    teamId: decodeUuid(payload.subarray(1)),
    emailId: decodeUuid(payload.subarray(1 + UUID_BYTES)),
    scope,
    email,
  }
}

/** Makes the header fields of one email with an `unsubscribe` field: List-Unsubscribe and its one-click form. */
export type UnsubscribeHeaders = (link: UnsubscribeLink) => Promise<[string, string][]>

export interface UnsubscribeHeadersDeps {
  /** Signs links, and addresses. */
  linkKey: Buffer
  addressKey: Buffer
  publicUrl: string
  /** Where mail to unsubscribe addresses comes in. */
  hostname: string
  findTeamTag(teamId: string): Promise<string>
}

/**
 * RFC 2369 section 3.2, RFC 8058 section 3.1: the link first, a mailto behind it where mail can come back by a name.
 * Both are covered by the DKIM signature (mime/dkim.ts).
 */
export function createUnsubscribeHeaders(deps: UnsubscribeHeadersDeps): UnsubscribeHeaders {
  return async (link) => {
    const ways = [`<${deps.publicUrl}/unsubscribe/${makeUnsubscribeToken(deps.linkKey, link)}>`]
    if (deps.hostname.includes('.')) {
      const of = { teamTag: await deps.findTeamTag(link.teamId), emailId: link.emailId, no: 0 }
      ways.push(`<mailto:${makeUnsubscribeAddress(deps.addressKey, deps.hostname, of)}?subject=unsubscribe>`)
    }
    return [
      ['List-Unsubscribe', ways.join(', ')],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ]
  }
}
