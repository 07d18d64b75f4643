import { type Certificate, openCertificate } from '../smtp/server/certificate.ts'
import type { Runtime } from './runtime.ts'

/** Opens the certificate that all SMTP listeners share. Returns null when none is configured. */
export async function openListenerCertificate(runtime: Runtime): Promise<Certificate | null> {
  const { config, clock, log, lifecycle } = runtime
  const { inboundPort, submissionPort, submissionsPort, tlsCertFile, tlsKeyFile, dataDir, hostname } = config
  if (inboundPort === null && submissionPort === null && submissionsPort === null) return null
  const files = { certFile: tlsCertFile, keyFile: tlsKeyFile, dataDir }
  const certificate = await openCertificate({ ...files, hostname, clock, log })
  lifecycle.add('certificate', () => certificate.stop())
  lifecycle.onReload('certificate', () => certificate.reload())
  return certificate
}
