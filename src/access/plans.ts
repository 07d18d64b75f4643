/** The rate-limit counter of a request (LIM-3 to LIM-5). */
export type Bucket = 'send' | 'validate' | 'general'

interface Plan {
  name: string
  /** Requests per minute to `POST /emails` and the other sending endpoints. */
  sendRequestsMax: number
  /** Requests per minute to all other endpoints. */
  generalRequestsMax: number
  /** Recipients per calendar month, UTC, or null for no limit. */
  monthRecipientsMax: number | null
  /** Recipients per calendar day, UTC, or null for no limit. */
  dayRecipientsMax: number | null
}

const VALIDATE_REQUESTS_MAX = 60
const GENERAL_REQUESTS_MAX = 600
const NONE = null

function plan(
  name: string,
  sendRequestsMax: number,
  monthRecipientsMax: number | null,
  dayRecipientsMax: number | null,
  generalRequestsMax = GENERAL_REQUESTS_MAX,
): Plan {
  return Object.freeze({ name, sendRequestsMax, generalRequestsMax, monthRecipientsMax, dayRecipientsMax })
}

/** The 13 plans, and one without limits for self-hosting. The database stores the keys. */
export const PLANS = {
  free: plan('Free', 60, 3_000, 100),
  '10k': plan('10K', 120, 10_000, NONE),
  '25k': plan('25K', 120, 25_000, NONE),
  '50k': plan('50K', 300, 50_000, NONE),
  '75k': plan('75K', 300, 75_000, NONE),
  '100k': plan('100K', 600, 100_000, NONE),
  '150k': plan('150K', 600, 150_000, NONE),
  '250k': plan('250K', 600, 250_000, NONE),
  '500k': plan('500K', 1_200, 500_000, NONE),
  '750k': plan('750K', 1_200, 750_000, NONE),
  '1m': plan('1M', 1_200, 1_000_000, NONE),
  '2m': plan('2M', 1_200, 2_000_000, NONE),
  '5m': plan('5M', 1_200, 5_000_000, NONE),
  unlimited: plan('Unlimited', 6_000, NONE, NONE, 6_000),
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof PLANS

/** Parses a plan name in either case (`Free`, `10K`); null when no such plan exists. */
export function parsePlan(text: string): PlanName | null {
  const name = text.toLowerCase()
  return Object.hasOwn(PLANS, name) ? (name as PlanName) : null
}

/** Returns the number of requests allowed in a window of 60 s. */
export function requestsMax(plan: PlanName, bucket: Bucket): number {
  if (bucket === 'validate') return VALIDATE_REQUESTS_MAX
  return bucket === 'send' ? PLANS[plan].sendRequestsMax : PLANS[plan].generalRequestsMax
}
