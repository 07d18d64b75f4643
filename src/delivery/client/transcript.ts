import type { ConversationLine } from '../../queue/types.ts'

const LINES_MAX = 200

/** What was said during one attempt, kept for whoever asks why. Never content, never secrets: callers mask those. */
export class Conversation {
  readonly lines: ConversationLine[] = []
  readonly #startedMs: number

  /** `startedMs` is of `performance.now()`: when the attempt began, which may be before its connection was there. */
  constructor(startedMs: number = performance.now()) {
    this.#startedMs = startedMs
  }

  /** `who`: `C` client, `S` server, `*` a note. Lines beyond 200 are dropped, so that no server can fill memory. */
  add(who: ConversationLine['who'], text: string): void {
    if (this.lines.length < LINES_MAX) {
      this.lines.push({ at: Math.round(performance.now() - this.#startedMs), who, text })
    }
  }
}
