import type { Caller } from '../access/caller.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Authorship } from './template-versions.ts'

/** Returns the author of a change and its time. The author is the signed-in user, or else the API key. */
export function authorshipOf({ keyId, user }: Pick<Caller, 'keyId' | 'user'>, clock: Clock): Authorship {
  const author =
    user === null ? ({ kind: 'key', id: keyId ?? '' } as const) : ({ kind: 'user', id: user.id } as const)
  return { author, now: clock.now() }
}
