import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sender } from '../support/senders.ts'
import type { SoakSample } from './samples.ts'

/** What a stopped run needs to go on: its senders, and its samples so far. Stored in two files of its directory. */
export class SoakLedger {
  readonly samples: SoakSample[]
  #senders: readonly Sender[] | null
  readonly #sendersPath: string
  readonly #samplesPath: string

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true })
    this.#sendersPath = join(directory, 'senders.json')
    this.#samplesPath = join(directory, 'samples.jsonl')
    this.#senders = existsSync(this.#sendersPath) ? JSON.parse(readFileSync(this.#sendersPath, 'utf8')) : null
    const lines = existsSync(this.#samplesPath) ? readFileSync(this.#samplesPath, 'utf8').split('\n') : []
    this.samples = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as SoakSample)
  }

  /** The senders of a run that has begun; null before. */
  get senders(): readonly Sender[] | null {
    return this.#senders
  }

  /** Notes that the old emails are sent, and the load begins. */
  begin(senders: readonly Sender[]): void {
    this.#senders = senders
    writeFileSync(this.#sendersPath, JSON.stringify(senders))
  }

  add(sample: SoakSample): void {
    this.samples.push(sample)
    appendFileSync(this.#samplesPath, `${JSON.stringify(sample)}\n`)
  }
}
