import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import type { Queryable } from '../db/db-types.ts'
import { trackingHost } from '../domains/domain-records.ts'
import { listTrackedDomains } from './certificates-queries.ts'

/** The limit on hosts of tracked links that get a certificate, for each team. */
const TEAM_HOSTS_MAX = 100

/** Returns whether a certificate authority can issue a certificate for a name: it must be a public DNS name. */
function isPublicName(host: string): boolean {
  return host.includes('.') && isIP(host) === 0 && !/\.(localhost|local|internal)$/.test(host)
}

/**
 * Lists the hosts that need a certificate: the host of PUBLIC_URL, the name of the SMTP listeners, and the verified hosts
 * of tracked links.
 */
export async function listServedHosts(
  db: Queryable,
  { publicUrl, hostname }: Pick<Config, 'publicUrl' | 'hostname'>,
): Promise<string[]> {
  const tracked = await listTrackedDomains(db, TEAM_HOSTS_MAX)
  const hosts = [new URL(publicUrl).hostname, hostname, ...tracked.map(trackingHost)]
  return [...new Set(hosts.map((host) => host.toLowerCase()))].filter(isPublicName)
}
