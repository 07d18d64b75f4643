import type { Log } from '../../lib/log.ts'

/** Beyond this number, each round reads the messages again. */
const KNOWN_MAX = 1000
const LOGGED_MAX = 10

interface DamagedBody {
  teamId: string
  emailId: string
  error: unknown
}

/**
 * The messages that cannot be read from the database, where they stay. A message known to be damaged
 * is not a candidate for a pack: as the oldest of its team, it would make each round write a small one. A new
 * process tries each again.
 */
export class DamagedBodies {
  #known = new Map<string, DamagedBody>()
  /** Those of this round. */
  #found = new Map<string, DamagedBody>()
  #count = 0

  add(body: DamagedBody): void {
    this.#count++
    if (this.#found.size < KNOWN_MAX) this.#found.set(body.emailId, body)
  }

  /** Returns whether this message was damaged in the last round, and then counts it for this one. */
  skipKnown(emailId: string): boolean {
    const body = this.#known.get(emailId)
    if (body !== undefined) this.add(body)
    return body !== undefined
  }

  /** Logs the damaged messages of this round in one line. Forgets those that the round did not meet. */
  endRound(log: Log): void {
    const bodies = [...this.#found.values()]
    if (bodies.length > 0) {
      const emails = bodies.slice(0, LOGGED_MAX).map(({ teamId, emailId }) => `${teamId}/${emailId}`)
      log.warn(
        { err: bodies[0]?.error, count: this.#count, emails },
        'messages that are damaged stay in the database',
      )
    }
    this.#known = this.#found
    this.#found = new Map()
    this.#count = 0
  }
}
