import type { Clock } from '../base/clock.ts'
import type { Authorship } from '../operations/template-versions.ts'

/** Who makes a change now: the person who is logged in, else the API key. */
export function authorshipOf(
  caller: { keyId: string | null; user?: { id: string } | null },
  clock: Clock,
): Authorship {
  const { keyId, user } = caller
  const author = user ? { kind: 'user' as const, id: user.id } : { kind: 'key' as const, id: keyId ?? '' }
  return { author, now: clock.now() }
}
