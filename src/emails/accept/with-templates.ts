import { ApiError } from '../../lib/api-error.ts'
import type { SendTemplate, TemplateCache } from '../../templates/template-cache.ts'
import type { Acceptance } from './accept-types.ts'
import type { SendRequest } from './draft-email.ts'

/** Thrown at the commit if a template changed after it was filled in. Never leaves acceptance. */
export class StaleTemplate extends Error {
  constructor() {
    super('A template changed while it was in use.')
    this.name = 'StaleTemplate'
  }
}

/** The limit on attempts with templates that keep changing within one request. */
const ATTEMPTS_MAX = 3

/**
 * Runs `work` with the templates that the requests name; null where a request names none or one that does not
 * exist. A single request first runs with the cached template. The commit queries other facts anyway and
 * compares the stamp, so the template costs no extra query. If the template changed, or the request is
 * rejected, `work` runs again with the current template.
 */
export async function withTemplates(
  cache: TemplateCache,
  teamId: string,
  requests: readonly Pick<SendRequest, 'template'>[],
  work: (templates: readonly (SendTemplate | null)[]) => Promise<Acceptance>,
): Promise<Acceptance> {
  const names = requests.map(({ template }) => template?.id)
  const [name] = names
  if (names.every((one) => one === undefined)) return work(names.map(() => null))
  if (names.length === 1 && name !== undefined) {
    const recalled = cache.recall(teamId, name)
    const answer = recalled === null ? null : await attemptWith([recalled], work)
    if (answer !== null) return answer
  }
  for (let attempt = 1; ; attempt++) {
    const found = names.map((one) => (one === undefined ? null : cache.find(teamId, one)))
    try {
      return await work(await Promise.all(found))
    } catch (error) {
      if (!(error instanceof StaleTemplate)) throw error
      if (attempt === ATTEMPTS_MAX)
        throw new ApiError('service_unavailable', undefined, { retryAfterSeconds: 1 })
    }
  }
}

/** Returns null if the cached template may be at fault. */
async function attemptWith(
  recalled: readonly SendTemplate[],
  work: (templates: readonly SendTemplate[]) => Promise<Acceptance>,
): Promise<Acceptance | null> {
  try {
    return await work(recalled)
  } catch (error) {
    if (error instanceof StaleTemplate || error instanceof ApiError) return null
    throw error
  }
}
