import type { Queryable } from '../db/db-types.ts'
import { trackingHost } from '../domains/domain-records.ts'
import { findDomainTracking } from '../domains/domain-tracking-queries.ts'
import { AnswerCache } from '../lib/async/answer-cache.ts'
import type { Tracking } from './track-links.ts'

/** Returns what to track in a domain's emails; null for nothing. */
export type FindTracking = (teamId: string, domainName: string) => Promise<Tracking | null>

/** A change of a domain's settings takes effect after at most `keptMs`. */
const CACHE_LIMITS = { keptMs: 5_000, countMax: 10_000 }

/**
 * Creates a function that looks up the settings and caches them for some seconds, because most emails come from few
 * domains.
 * Links use the domain's own host if its DNS record has been verified, otherwise the host of this installation.
 */
export function createFindTracking(db: Queryable, publicUrl: string): FindTracking {
  const cache = new AnswerCache<Tracking | null>(CACHE_LIMITS)
  return (teamId, domainName) =>
    cache.get(`${teamId}/${domainName}`, () => lookUp(db, publicUrl, teamId, domainName))
}

async function lookUp(
  db: Queryable,
  publicUrl: string,
  teamId: string,
  domainName: string,
): Promise<Tracking | null> {
  const settings = await findDomainTracking(db, teamId, domainName)
  if (settings === null || !(settings.opens || settings.clicks)) return null
  const { opens, clicks, isHostVerified } = settings
  return {
    opens,
    clicks,
    publicUrl,
    baseUrl: isHostVerified ? withHost(publicUrl, trackingHost(domainName)) : publicUrl,
  }
}

function withHost(publicUrl: string, host: string): string {
  const url = new URL(publicUrl)
  url.hostname = host
  return url.href.replace(/\/+$/, '')
}
