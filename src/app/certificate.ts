import type { SecureContext } from 'node:tls'
import { findChallengeContext } from '../certificates/challenges.ts'
import { HostContexts } from '../certificates/host-contexts.ts'
import { createSealedKeys, type SealedKeys } from '../certificates/sealed-keys.ts'
import type { TlsContexts } from '../http/connections/listen-https.ts'
import { openCertificate } from '../smtp/server/certificate.ts'
import type { ContextSource } from '../smtp/server/smtp-types.ts'
import type { Runtime } from './runtime.ts'
import type { ProcessRole } from './types.ts'

/** The certificates of all listeners of this process. */
export interface Certificates {
  smtp: ContextSource
  https: TlsContexts & {
    /** Returns whether a host has a certificate that clients accept. */
    covers(host: string): boolean
  }
}

/**
 * Opens the certificates that the listeners of this process share: from files, by ACME, or self-signed. Until ACME has a
 * certificate for a host, its listeners use the self-signed one. Returns null when no listener needs any.
 */
export async function openCertificates(
  runtime: Runtime,
  roles: readonly ProcessRole[],
): Promise<Certificates | null> {
  const { config, clock, log, lifecycle } = runtime
  const { inboundPort, submissionPort, submissionsPort, httpsPort, hostname, acmeDirectory } = config
  const hasSmtp = roles.includes('inbound') && (inboundPort ?? submissionPort ?? submissionsPort) !== null
  const hasHttps = roles.includes('api') && httpsPort !== null
  if (!hasSmtp && !hasHttps) return null
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, dataDir } = config
  const certificate = await openCertificate({ certFile, keyFile, dataDir, hostname, clock, log })
  lifecycle.add('certificate', () => certificate.stop())
  lifecycle.onReload('certificate', () => certificate.reload())
  if (acmeDirectory === null) {
    const isFromFiles = certFile !== null
    const covers = (host: string) => isFromFiles && certificate.covers(host)
    return { smtp: certificate, https: { context: certificate.context, contextOf: () => null, covers } }
  }
  const keys = createSealedKeys(runtime.secret)
  const hosts = await openHosts(runtime, keys)
  const publicHost = new URL(config.publicUrl).hostname
  const contextFor = (host: string) => (): SecureContext => hosts.contextOf(host) ?? certificate.context()
  return {
    smtp: { context: contextFor(hostname) },
    https: {
      context: contextFor(publicHost),
      contextOf: (host) => hosts.contextOf(host),
      covers: (host) => hosts.contextOf(host) !== null,
      findChallengeContext: (host) => findChallengeContext(runtime.pools.engine, keys, host),
    },
  }
}

/** Opens the certificates that ACME obtained. Several processes share them through the database. */
async function openHosts({ pools, clock, log, lifecycle }: Runtime, keys: SealedKeys): Promise<HostContexts> {
  const hosts = new HostContexts({ db: pools.engine, clock, keys, log })
  await hosts.start()
  lifecycle.add('certificates of hosts', () => hosts.stop())
  lifecycle.onReload('certificates of hosts', () => hosts.refresh())
  return hosts
}
