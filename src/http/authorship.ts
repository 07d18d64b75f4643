import type { Clock } from '../base/clock.ts'
import type { Caller } from '../operations/authenticate.ts'
import type { Authorship } from '../operations/template-versions.ts'

/** Who makes a change now: the person who is logged in, else the API key. */
export function authorshipOf({ keyId, user }: Pick<Caller, 'keyId' | 'user'>, clock: Clock): Authorship {
  const author =
    user === null ? ({ kind: 'key', id: keyId ?? '' } as const) : ({ kind: 'user', id: user.id } as const)
  return { author, now: clock.now() }
}
