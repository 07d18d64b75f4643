import { ApiError } from '../../lib/api-error.ts'
import type { SendTemplate, TemplateCache } from '../../templates/template-cache.ts'
import type { SendRequest } from '../request/draft-email.ts'
import type { AcceptAnswer } from './accept-types.ts'

/**
 * Returned by the commit if messages were built on facts that do not hold: a template that changed, or a Message-ID that
 * another email has. Never leaves acceptance.
 */
export class StaleFacts extends Error {
  /** The Message-IDs that emails of the request cannot have. */
  readonly takenIds: readonly string[]

  constructor(takenIds: readonly string[]) {
    super('Facts changed while a message was built on them.')
    this.name = 'StaleFacts'
    this.takenIds = takenIds
  }
}

/** The limit on attempts with facts that keep changing within one request. */
const ATTEMPTS_MAX = 3

/**
 * Runs `work` with the templates that the requests name; null where a request names none or one that does not
 * exist. A single request first runs with the cached template. The commit queries other facts anyway and
 * compares the stamp, so the template costs no extra query. If the template changed, or the request is
 * rejected, `work` runs again with the current template. `work` also runs again with the Message-IDs that the commit
 * found to be taken, which is cheaper than a query before each commit.
 */
export async function withCurrent(
  cache: TemplateCache,
  teamId: string,
  requests: readonly Pick<SendRequest, 'template'>[],
  work: Work,
): Promise<AcceptAnswer> {
  const names = requests.map(({ template }) => template?.id)
  const [name] = names
  const takenIds = new Set<string>()
  if (names.length === 1 && name !== undefined) {
    const recalled = cache.recall(teamId, name)
    const answer = recalled === null ? null : await attemptWith([recalled], takenIds, work)
    if (answer !== null) return answer
  }
  for (let attempt = 1; ; attempt++) {
    const lookups = names.map((one) => (one === undefined ? null : cache.find(teamId, one)))
    try {
      // Requests that share many ids may find others taken each time. The last attempt asks for none.
      const taken = attempt === ATTEMPTS_MAX ? ALL_IDS : new Set(takenIds)
      return await work(await Promise.all(lookups), taken)
    } catch (error) {
      if (!(error instanceof StaleFacts)) throw error
      for (const id of error.takenIds) takenIds.add(id)
      if (attempt === ATTEMPTS_MAX)
        throw new ApiError('service_unavailable', undefined, { retryAfterSeconds: 1 })
    }
  }
}

/** Message-IDs that emails of a request cannot have. Grows with each email that gets one. */
export type TakenIds = Pick<Set<string>, 'has' | 'add'>

const ALL_IDS: TakenIds = { has: () => true, add: () => new Set() }

type Work = (templates: readonly (SendTemplate | null)[], takenIds: TakenIds) => Promise<AcceptAnswer>

/** Returns null if the cached template may be at fault. */
async function attemptWith(
  recalled: readonly SendTemplate[],
  takenIds: Set<string>,
  work: Work,
): Promise<AcceptAnswer | null> {
  try {
    return await work(recalled, new Set())
  } catch (error) {
    if (error instanceof StaleFacts) for (const id of error.takenIds) takenIds.add(id)
    else if (!(error instanceof ApiError)) throw error
    return null
  }
}
