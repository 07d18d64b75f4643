import type { Log } from '../../lib/log.ts'

/** More are found again in each round. */
const KNOWN_MAX = 1000
const LOGGED_MAX = 10

interface DamagedBody {
  teamId: string
  emailId: string
  error: unknown
}

/**
 * The messages that cannot be read from the database, where they stay. What is known to be damaged is no candidate for a
 * pack: as the oldest of its team, it would make each round write a small one. A new process tries each again.
 */
export class DamagedBodies {
  #known = new Map<string, DamagedBody>()
  /** Those of this round. */
  #met = new Map<string, DamagedBody>()
  #count = 0

  add(body: DamagedBody): void {
    this.#count++
    if (this.#met.size < KNOWN_MAX) this.#met.set(body.emailId, body)
  }

  /** Returns whether this message was damaged in the last round, and then counts it for this one. */
  meet(emailId: string): boolean {
    const body = this.#known.get(emailId)
    if (body !== undefined) this.add(body)
    return body !== undefined
  }

  /** Tells the operator of the messages of this round, in one line. Forgets those that the round did not meet. */
  endRound(log: Log): void {
    const bodies = [...this.#met.values()]
    if (bodies.length > 0) {
      const emails = bodies.slice(0, LOGGED_MAX).map(({ teamId, emailId }) => `${teamId}/${emailId}`)
      log.warn(
        { err: bodies[0]?.error, count: this.#count, emails },
        'messages that are damaged stay in the database',
      )
    }
    this.#known = this.#met
    this.#met = new Map()
    this.#count = 0
  }
}
