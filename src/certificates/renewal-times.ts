const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const RENEW_BEFORE_MS = 30 * DAY_MS
/** Certificates that are valid for few days are renewed in the last third of their time. */
const RENEW_SHARE = 1 / 3

/**
 * The waits after failed attempts; the last repeats. Certificate authorities limit the failures of a host: Let's Encrypt
 * allows five in an hour.
 */
const WAITS_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS]
/** Waits differ by up to this share, so that many hosts that failed together are not attempted together. */
const JITTER_SHARE = 0.2

/** Returns when to renew a certificate. */
export function renewalAt(validFrom: Date, validUntil: Date): Date {
  const validMs = validUntil.getTime() - validFrom.getTime()
  return new Date(validUntil.getTime() - Math.min(RENEW_BEFORE_MS, validMs * RENEW_SHARE))
}

/**
 * Returns when to attempt again.
 * @param failures the number of failures, this one included
 * @param random from 0 to 1
 * @param waitMs the least wait that the certificate authority asked for
 */
export function retryAt(failures: number, now: Date, random: number, waitMs = 0): Date {
  const ownMs = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] as number
  return new Date(now.getTime() + Math.max(ownMs, waitMs) * (1 + JITTER_SHARE * random))
}
