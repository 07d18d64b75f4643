import type { Queryable } from '../db/db-types.ts'
import { trackingHost } from '../domains/domain-records.ts'
import { findDomainTracking } from '../domains/domain-tracking-queries.ts'
import { KeptAnswers } from '../lib/async/kept-answers.ts'
import type { Tracking } from './track-links.ts'

/** Returns what is tracked of a domain's emails; null: nothing. */
export type FindTracking = (teamId: string, domainName: string) => Promise<Tracking | null>

/** How soon a change of a domain's settings applies. */
const KEPT = { keptMs: 5_000, countMax: 10_000 }

/**
 * Looks up the settings and caches them for some seconds, because most emails are from few domains. Links use the
 * domain's own host once its DNS record was verified, else this installation's.
 */
export function createFindTracking(db: Queryable, publicUrl: string): FindTracking {
  const kept = new KeptAnswers<Tracking | null>(KEPT)
  return (teamId, domainName) =>
    kept.get(`${teamId}/${domainName}`, () => lookUp(db, publicUrl, teamId, domainName))
}

async function lookUp(
  db: Queryable,
  publicUrl: string,
  teamId: string,
  domainName: string,
): Promise<Tracking | null> {
  const found = await findDomainTracking(db, teamId, domainName)
  if (found === null || !(found.opens || found.clicks)) return null
  const { opens, clicks, isHostVerified } = found
  return {
    opens,
    clicks,
    baseUrl: isHostVerified ? withHost(publicUrl, trackingHost(domainName)) : publicUrl,
  }
}

function withHost(publicUrl: string, host: string): string {
  const url = new URL(publicUrl)
  url.hostname = host
  return url.href.replace(/\/+$/, '')
}
