import type { Config } from '../config/config.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import { type Certificate, openCertificate } from '../smtp/server/certificate.ts'

interface Parts {
  config: Config
  clock: Clock
  log: Log
  stops: (() => Promise<void>)[]
  reloads: (() => Promise<void>)[]
}

/** The certificate of all SMTP listeners; null where none listens. */
export async function assembleCertificate({
  config,
  clock,
  log,
  stops,
  reloads,
}: Parts): Promise<Certificate | null> {
  const { inboundPort, submissionPort, submissionsPort, tlsCertFile, tlsKeyFile, dataDir, hostname } = config
  if (inboundPort === null && submissionPort === null && submissionsPort === null) return null
  const files = { certFile: tlsCertFile, keyFile: tlsKeyFile, dataDir }
  const certificate = await openCertificate({ ...files, hostname, clock, log })
  stops.push(() => certificate.stop())
  reloads.push(() => certificate.reload())
  return certificate
}
