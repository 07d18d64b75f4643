import { CertificateRenewal } from '../../certificates/renew-certificates.ts'
import { createSealedKeys } from '../../certificates/sealed-keys.ts'
import type { AcmeChallenge } from '../../config/values.ts'
import { repeat } from '../../lib/async/repeat.ts'
import type { Runtime } from '../runtime.ts'

/** A new host waits at most this long for its first attempt. */
const EVERY_MS = 15_000

/**
 * Starts the renewal of certificates by ACME, a part of the role `scheduler`; does nothing if it is not configured. Start
 * it after the listeners, which answer the challenges.
 */
export function startCertificateRenewal({ config, clock, log, pools, secret, lifecycle }: Runtime): void {
  const { acmeDirectory: directoryUrl, acmeEmail: email, httpsPort } = config
  if (directoryUrl === null) return
  const usable: readonly AcmeChallenge[] = httpsPort === null ? ['http-01'] : ['http-01', 'tls-alpn-01']
  const challenges = config.acmeChallenges ?? usable
  const acme = { directoryUrl, email, challenges, keys: createSealedKeys(secret) }
  const given = { db: pools.engine, clock, log, config, random: Math.random }
  const renewal = new CertificateRenewal({ ...given, ...acme })
  const running = repeat('renew certificates', EVERY_MS, () => renewal.run(), log)
  lifecycle.add('certificate renewal', async () => {
    renewal.stop()
    await running.stop()
  })
}
