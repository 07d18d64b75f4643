import type { TranscriptLine } from '../../queue/types.ts'

const LINES_MAX = 200

/** The SMTP transcript of one attempt. It contains neither content nor secrets; callers mask secrets. */
export class Transcript {
  readonly lines: TranscriptLine[] = []
  readonly #startedMs: number

  /** `startedMs` (`performance.now()`) is the start of the attempt, which may precede its connection. */
  constructor(startedMs: number = performance.now()) {
    this.#startedMs = startedMs
  }

  /** `who`: `C` client, `S` server, `*` a note. Lines beyond 200 are dropped, so that no server can exhaust memory. */
  add(who: TranscriptLine['who'], text: string): void {
    if (this.lines.length < LINES_MAX) {
      this.lines.push({ at: Math.round(performance.now() - this.#startedMs), who, text })
    }
  }
}
