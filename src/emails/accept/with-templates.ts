import { ApiError } from '../../lib/api-error.ts'
import type { SendTemplate, TemplateCache } from '../../templates/template-cache.ts'
import type { Acceptance } from './accept-types.ts'
import type { SendRequest } from './draft-email.ts'

/** At the commit a template was not what had been filled in. Never seen outside of acceptance. */
export class StaleTemplate extends Error {
  constructor() {
    super('A template was changed while it was used.')
    this.name = 'StaleTemplate'
  }
}

/** A template that is changed more often than this within one request is not waited for. */
const LOOKS_MAX = 3

/**
 * Does `work` with the templates that the requests name, null where one names none or one that is not there. One request
 * is first tried with what the cache recalls: the commit, which asks the database for other facts anyway, compares the
 * stamp, so that a template costs no question of its own. Where the template is another by now, or anything at all is
 * refused, it is done again with what is found.
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
    const answer = recalled === null ? null : await tryWith([recalled], work)
    if (answer !== null) return answer
  }
  for (let look = 1; ; look++) {
    const found = names.map((one) => (one === undefined ? null : cache.find(teamId, one)))
    try {
      return await work(await Promise.all(found))
    } catch (error) {
      if (!(error instanceof StaleTemplate)) throw error
      if (look === LOOKS_MAX) throw new ApiError('service_unavailable', undefined, { retryAfterSeconds: 1 })
    }
  }
}

/** Null when what was recalled may be at fault. */
async function tryWith(
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
