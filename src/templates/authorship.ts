import type { Caller } from '../access/caller.ts'
import type { Authorship } from './template-versions.ts'

/** Returns the author of a change made now, and the time. The author is the signed-in user, or else the API key. */
export function authorshipOf({ keyId, user }: Pick<Caller, 'keyId' | 'user'>, now: Date): Authorship {
  const author =
    user === null ? ({ kind: 'key', id: keyId ?? '' } as const) : ({ kind: 'user', id: user.id } as const)
  return { author, now }
}
