import type { DueDelivery, LoadedMessage } from '../../queue/types.ts'
import { LOADED_AHEAD_BYTES_MAX } from './prepare-deliveries.ts'

/** The limit of a process alone. Workers divide it, because any of them claims what one keeps. */
const BYTES_MAX = 64 * 1024 * 1024
/** Longer than a process takes to deliver as much, and shorter than the time after which an idle one trims its memory. */
const KEPT_MS = 15_000

interface Kept {
  message: LoadedMessage
  sinceMs: number
}

/**
 * Messages of accepted emails that were left to a claim. This process often claims such an email itself within seconds, and then
 * need not read its message from the database. Bounded in bytes and time. When it is full, the oldest stay, because a claim
 * takes the oldest of a team first.
 */
export class KeptMessages {
  /** By email, oldest first. */
  readonly #byEmail = new Map<string, Kept>()
  readonly #bytesMax: number
  #bytes = 0

  constructor(workers: number) {
    this.#bytesMax = BYTES_MAX / workers
  }

  /** Keeps a small message of a committed email with one recipient. For several recipients it is read once anyway. */
  keep({ emailId, recipientCount, message }: DueDelivery): void {
    if (recipientCount !== 1 || message === null || message.bytes.length > LOADED_AHEAD_BYTES_MAX) return
    if (this.#bytes + message.bytes.length > this.#bytesMax) this.forgetOld()
    if (this.#bytes + message.bytes.length > this.#bytesMax) return
    this.#byEmail.set(emailId, { message, sinceMs: performance.now() })
    this.#bytes += message.bytes.length
  }

  /**
   * Returns the message of a claimed delivery, once; null if it is not kept, or was attempted. The form in which another process
   * signed it for an earlier attempt is only in the database.
   */
  take({ emailId, attempts }: DueDelivery): LoadedMessage | null {
    const kept = this.#byEmail.get(emailId)
    if (kept === undefined) return null
    this.#forget(emailId, kept)
    return attempts === 0 ? kept.message : null
  }

  /** Forgets messages that were not claimed here in time. */
  forgetOld(): void {
    const keptSinceMs = performance.now() - KEPT_MS
    for (const [emailId, kept] of this.#byEmail) {
      if (kept.sinceMs > keptSinceMs) return
      this.#forget(emailId, kept)
    }
  }

  #forget(emailId: string, { message }: Kept): void {
    this.#byEmail.delete(emailId)
    this.#bytes -= message.bytes.length
  }
}
