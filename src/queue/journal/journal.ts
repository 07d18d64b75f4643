import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  futimesSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Log } from '../../lib/log.ts'
import { giveToOwnerOf } from '../../lib/owner.ts'
import type { DeliveryKey, DeliveryResult } from '../types.ts'
import { type JournalEntry, type JournalHeader, writeEntry, writeHeader } from './journal-format.ts'

/** Ends the name of every journal; what a process was writing when it was killed ends with `.new` besides. */
export const JOURNAL_END = '.journal'
/** From this size on it is written anew with what is open; where that is more, from twice as much. */
const REWRITE_BYTES = 1024 * 1024
/** More are not noted. A process holds half as many deliveries (delivery/dispatch/held-deliveries.ts). */
const OPEN_COUNT_MAX = 4000

const keyOf = ({ emailId, no }: DeliveryKey) => `${emailId}/${no}`

/** What must be known of a try should this process die now; null where nobody has taken anything. */
export function entryOf(result: DeliveryResult, isRelay: boolean): JournalEntry | null {
  const { delivery, verdict, smtpCode } = result
  // The simulator's answers come over no wire: asked again it says the same.
  if (verdict.state !== 'delivered' || smtpCode === null || result.mxAddress === null) return null
  return {
    teamId: delivery.teamId,
    emailId: delivery.emailId,
    no: delivery.no,
    attempt: delivery.attempts + 1,
    state: isRelay ? 'sent' : 'delivered',
    startedAtMs: result.startedAt.getTime(),
    durationMs: result.durationMs,
    smtpCode,
    enhancedCode: result.enhancedCode,
    response: result.response,
    mxHost: result.mxHost,
    mxAddress: result.mxAddress,
    sourceAddress: result.sourceAddress ?? null,
    tls: result.tls,
  }
}

/**
 * What servers have taken from this process and is not settled yet: a file that outlives `kill -9`, because what was
 * written is the kernel's. An entry is *open* from `note` to `forget`; only open ones matter, and the file is
 * written anew when the others have become many. It is never synced: a power cut loses it, and no more.
 *
 * States: *written* (each entry is in the file when `note` returns), and *failed* (the disk is full, or may not be
 * written): then nothing is protected, mail goes on, and each `beat` tries again with all that is open.
 */
export class Journal {
  readonly #directory: string
  readonly #path: string
  readonly #header: string
  readonly #log: Log
  readonly #open = new Map<string, string>()
  #file: number | null = null
  #bytes = 0
  #rewriteAt = 0
  #isTold = false

  /** `directory` lies in the data directory, and is made where it is missing. Never throws. */
  constructor(directory: string, header: JournalHeader, log: Log) {
    this.#directory = directory
    this.#path = join(directory, `${header.node}${JOURNAL_END}`)
    this.#header = writeHeader(header)
    this.#log = log
    this.#attempt(() => this.#rewrite())
  }

  /** Written when this returns, unless the disk refuses. */
  note(entry: JournalEntry): void {
    if (this.#open.size >= OPEN_COUNT_MAX) return
    const line = writeEntry(entry)
    this.#open.set(keyOf(entry), line)
    this.#attempt(() => {
      if (this.#file === null) return
      this.#append(this.#file, line)
      if (this.#bytes >= this.#rewriteAt) this.#rewrite()
    })
  }

  /** It is settled. */
  forget(key: DeliveryKey): void {
    this.#open.delete(keyOf(key))
  }

  /** Called every few seconds: says that this process lives, drops what is settled, mends what failed. */
  beat(nowMs: number): void {
    this.#attempt(() => {
      // Somebody took this process for dead, or tidied up.
      const isGone = this.#file === null || fstatSync(this.#file).nlink === 0
      const isStale = this.#open.size === 0 && this.#bytes > Buffer.byteLength(this.#header)
      if (isGone) this.#rewrite()
      else if (isStale) this.#empty()
      if (this.#file !== null) futimesSync(this.#file, nowMs / 1000, nowMs / 1000)
    })
  }

  /** Leaves nothing behind when all is settled; else the file stays for the next process. */
  close(): void {
    if (this.#file === null) return
    closeSync(this.#file)
    this.#file = null
    if (this.#open.size === 0) rmSync(this.#path, { force: true })
  }

  /** Renamed into place when whole: a process that is killed meanwhile leaves the old one. */
  #rewrite(): void {
    this.#makeDirectory()
    const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND } = constants
    const made = openSync(`${this.#path}.new`, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
    try {
      giveToOwnerOf(this.#directory, `${this.#path}.new`)
      this.#bytes = 0
      this.#append(made, `${this.#header}${[...this.#open.values()].join('')}`)
      renameSync(`${this.#path}.new`, this.#path)
    } catch (error) {
      closeSync(made)
      rmSync(`${this.#path}.new`, { force: true })
      throw error
    }
    if (this.#file !== null) closeSync(this.#file)
    this.#file = made
    this.#rewriteAt = Math.max(REWRITE_BYTES, 2 * this.#bytes)
    if (this.#isTold) this.#log.info({ path: this.#path }, 'the journal of deliveries is written again')
    this.#isTold = false
  }

  #makeDirectory(): void {
    const made = mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    if (made !== undefined) giveToOwnerOf(dirname(this.#directory), this.#directory)
  }

  #append(file: number, text: string): void {
    const bytes = Buffer.from(text)
    const written = writeSync(file, bytes)
    this.#bytes += written
    // The disk is full: the line is cut, and what came after it would be lost with it.
    if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`)
  }

  #empty(): void {
    if (this.#file === null) return
    this.#bytes = Buffer.byteLength(this.#header)
    ftruncateSync(this.#file, this.#bytes)
    this.#rewriteAt = REWRITE_BYTES
  }

  /** A journal that cannot be written costs its protection, never mail. What the file holds already stays true. */
  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (this.#file !== null) closeSync(this.#file)
      this.#file = null
      if (this.#isTold) return
      this.#isTold = true
      this.#log.warn(
        { err: error, path: this.#path },
        'the journal of deliveries cannot be written: mail goes on, but what was delivered just before a crash may be sent twice',
      )
    }
  }
}
