import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sender } from '../support/senders.ts'
import type { SoakSample } from './samples.ts'

/** What all parts of a run have in common. */
export interface SoakPlan {
  count: number
  everyMs: number
}

interface Stored {
  plan: SoakPlan
  /** Null until the old emails are sent and the load begins. */
  senders: readonly Sender[] | null
}

/** What a stopped run needs to go on: its plan, its senders, and its samples so far. Stored in two files of its directory. */
export class SoakLedger {
  readonly samples: SoakSample[]
  readonly #path: string
  readonly #samplesPath: string
  #stored: Stored

  /** Throws if the directory contains something else, or a run with another plan. */
  constructor(directory: string, plan: SoakPlan) {
    mkdirSync(directory, { recursive: true })
    this.#path = join(directory, 'soak.json')
    this.#samplesPath = join(directory, 'samples.jsonl')
    if (existsSync(this.#path)) this.#stored = JSON.parse(readFileSync(this.#path, 'utf8')) as Stored
    else {
      if (readdirSync(directory).length > 0)
        throw new Error(`${directory} is neither empty nor the directory of a soak.`)
      this.#stored = { plan, senders: null }
      this.#store()
    }
    const { count, everyMs } = this.#stored.plan
    if (count !== plan.count || everyMs !== plan.everyMs)
      throw new Error(`The soak in ${directory} was begun with --count ${count} --every ${everyMs / 1000}.`)
    const lines = existsSync(this.#samplesPath) ? readFileSync(this.#samplesPath, 'utf8').split('\n') : []
    this.samples = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as SoakSample)
  }

  /** The senders of a run whose load has begun; null before. */
  get senders(): readonly Sender[] | null {
    return this.#stored.senders
  }

  /** Notes that the old emails are sent, and the load begins. */
  begin(senders: readonly Sender[]): void {
    this.#stored = { ...this.#stored, senders }
    this.#store()
  }

  add(sample: SoakSample): void {
    this.samples.push(sample)
    appendFileSync(this.#samplesPath, `${JSON.stringify(sample)}\n`)
  }

  #store(): void {
    writeFileSync(this.#path, JSON.stringify(this.#stored))
  }
}
