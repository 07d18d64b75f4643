import type { Db } from '../../db/db-types.ts'
import { newToken } from '../../lib/crypto/random-token.ts'
import { deleteAccountLinks, insertAccountLink } from './account-links-queries.ts'
import { lockUser } from './users-queries.ts'

/** How long a link works. Links are sent on request and can be requested again. */
export const LINK_LIFETIME_MS = 3_600_000

/**
 * Returns the URL of a dashboard page with a token after `#`, which browsers never send to a server. It starts with
 * PUBLIC_URL and never with the Host header of a request.
 */
export function accountLink(
  publicUrl: string,
  page: 'welcome' | 'invitation' | 'reset' | 'enter',
  token: string,
): string {
  return `${publicUrl}/app/${page}#token=${token}`
}

const PAGES = { reset: 'reset', login: 'enter' } as const

interface UserLink {
  userId: string
  kind: keyof typeof PAGES
  publicUrl: string
  /** Keeps the user's earlier links: anybody who knows the address may ask for one, and it may not arrive. */
  keepsEarlier: boolean
}

/** Creates a link for a user. It replaces the user's earlier links, unless it keeps them. */
export async function makeUserLink(
  db: Db,
  { userId, kind, publicUrl, keepsEarlier }: UserLink,
  now: Date,
): Promise<string> {
  const { token, hash } = newToken()
  await db.transaction(async (tx) => {
    await lockUser(tx, userId)
    if (!keepsEarlier) await deleteAccountLinks(tx, userId)
    const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS)
    await insertAccountLink(tx, { tokenHash: hash, kind, userId, createdAt: now, expiresAt })
  })
  return accountLink(publicUrl, PAGES[kind], token)
}
