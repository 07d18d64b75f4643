import { readToken, signToken } from '../../lib/crypto/signed-token.ts'
import { decodeUuid, encodeUuid, UUID_BYTES } from '../../lib/ids.ts'
import { makeUnsubscribeAddress } from '../../mime/unsubscribe-address.ts'
import { readScope, scopeText, type UnsubscribeScope } from '../request/unsubscribe-scope.ts'

/** The content of an unsubscribe link. Links work as long as the installation keeps its secret. */
export interface UnsubscribeLink {
  teamId: string
  emailId: string
  scope: UnsubscribeScope
  /** In the form that addresses are compared in. */
  email: string
}

const VERSION = 1

/**
 * Returns the token of a link. The token contains everything that the link needs, so it works even after its
 * email is deleted.
 */
export function makeUnsubscribeToken(key: Buffer, link: UnsubscribeLink): string {
  const text = Buffer.from(`${scopeText(link.scope)}\n${link.email}`, 'utf8')
  return signToken(
    key,
    Buffer.concat([Buffer.of(VERSION), encodeUuid(link.teamId), encodeUuid(link.emailId), text]),
  )
}

export function makeUnsubscribeUrl(key: Buffer, publicUrl: string, link: UnsubscribeLink): string {
  return `${publicUrl}/unsubscribe/${makeUnsubscribeToken(key, link)}`
}

/** In place of a token, in previews and test emails: a link that changes nothing. No token is so short. */
export const INERT_TOKEN = 'test'

export function inertUnsubscribeUrl(publicUrl: string): string {
  return `${publicUrl}/unsubscribe/${INERT_TOKEN}`
}

/** Returns the content of a token, or null if it was not made with this key. */
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

/** Returns the header fields of an email with an `unsubscribe` field: List-Unsubscribe and List-Unsubscribe-Post. */
export type UnsubscribeHeaders = (link: UnsubscribeLink) => Promise<[string, string][]>

export interface UnsubscribeHeadersDeps {
  /** Signs links. `addressKey` signs unsubscribe addresses. */
  linkKey: Buffer
  addressKey: Buffer
  publicUrl: string
  /** The domain of unsubscribe addresses. */
  hostname: string
  findTeamTag(teamId: string): Promise<string>
}

/**
 * Puts the link first (RFC 2369 section 3.2, RFC 8058 section 3.1), then a mailto if the host name can receive
 * mail. The DKIM signature covers both fields (mime/dkim.ts).
 */
export function createUnsubscribeHeaders(deps: UnsubscribeHeadersDeps): UnsubscribeHeaders {
  return async (link) => {
    const targets = [`<${makeUnsubscribeUrl(deps.linkKey, deps.publicUrl, link)}>`]
    if (deps.hostname.includes('.')) {
      const of = { teamTag: await deps.findTeamTag(link.teamId), emailId: link.emailId, no: 0 }
      targets.push(
        `<mailto:${makeUnsubscribeAddress(deps.addressKey, deps.hostname, of)}?subject=unsubscribe>`,
      )
    }
    return [
      ['List-Unsubscribe', targets.join(', ')],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ]
  }
}
