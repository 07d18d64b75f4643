import {
  closeSync,
  constants,
  fdatasync,
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
import { type JournalEntry, type JournalHeader, writeEntry, writeJournalHeader } from './journal-format.ts'

/** The file name extension of journals; one that was being written when its process was killed has `.new` appended. */
export const JOURNAL_END = '.journal'
/** Size from which the journal is rewritten with its open entries; if those are larger, from twice their size. */
const REWRITE_BYTES = 1024 * 1024
/**
 * The longest time until a written line is on the disk. A power cut loses what was written later, and those emails are sent
 * twice. One sync for many lines costs a thread half a millisecond.
 */
const SYNC_EVERY_MS = 10
/** Further entries are not recorded. A process holds half as many deliveries (delivery/dispatch/held-deliveries.ts). */
const OPEN_COUNT_MAX = 4000

type Sync = (file: number, done: () => void) => void

const keyOf = ({ emailId, no }: DeliveryKey) => `${emailId}/${no}`

/** Returns the entry that must survive the death of this process; null when no server accepted the message. */
export function entryOf(result: DeliveryResult, isRelay: boolean): JournalEntry | null {
  const { delivery, verdict, smtpCode } = result
  // The simulator uses no wire: a repeated attempt gets the same reply.
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
    signedAs: result.signedAs ?? null,
  }
}

/**
 * Records what servers have accepted from this process and is not settled yet. The file outlives `kill -9`, because
 * written bytes belong to the kernel, and a power cut except for its last milliseconds, because it is synced in the
 * background. An entry is *open* from `note` to `forget`; only open entries matter, and the file is rewritten when the
 * others have become many.
 *
 * States: *written* (each entry is in the file when `note` returns), and *failed* (the disk is full or not writable):
 * then nothing is protected, mail continues, and each `beat` retries with all open entries.
 */
export class Journal {
  readonly #directory: string
  readonly #path: string
  readonly #header: string
  readonly #log: Log
  readonly #sync: Sync
  readonly #open = new Map<string, string>()
  #file: number | null = null
  #bytes = 0
  #rewriteAt = 0
  /** Set while a sync waits or runs. */
  #syncing: NodeJS.Timeout | null = null
  #isUnsynced = false
  #isFailureLogged = false

  /**
   * Never throws.
   * @param directory lies in the data directory, and is created if missing
   */
  constructor(directory: string, header: JournalHeader, log: Log, sync: Sync = fdatasync) {
    this.#directory = directory
    this.#path = join(directory, `${header.node}${JOURNAL_END}`)
    this.#header = writeJournalHeader(header)
    this.#log = log
    this.#sync = sync
    this.#attempt(() => this.#rewrite())
  }

  /** The entry is in the file on return, unless the write fails. */
  note(entry: JournalEntry): void {
    if (this.#open.size >= OPEN_COUNT_MAX) return
    const line = writeEntry(entry)
    this.#open.set(keyOf(entry), line)
    this.#attempt(() => {
      if (this.#file === null) return
      this.#append(this.#file, line)
      if (this.#bytes >= this.#rewriteAt) this.#rewrite()
      this.#syncSoon()
    })
  }

  /** Records that the delivery is settled. */
  forget(key: DeliveryKey): void {
    this.#open.delete(keyOf(key))
  }

  /** Call every few seconds: shows that this process is alive, drops settled entries, and retries failed writes. */
  beat(nowMs: number): void {
    this.#attempt(() => {
      // Another process considered this one dead, or someone deleted the file.
      const isGone = this.#file === null || fstatSync(this.#file).nlink === 0
      const isStale = this.#open.size === 0 && this.#bytes > Buffer.byteLength(this.#header)
      if (isGone) this.#rewrite()
      else if (isStale) this.#empty()
      if (this.#file !== null) futimesSync(this.#file, nowMs / 1000, nowMs / 1000)
    })
  }

  /** Removes the file when all is settled; otherwise leaves it for the next process. */
  close(): void {
    if (this.#file === null) return
    closeSync(this.#file)
    this.#file = null
    if (this.#open.size === 0) rmSync(this.#path, { force: true })
  }

  /** Syncs the file once for all lines of some milliseconds. */
  #syncSoon(): void {
    this.#isUnsynced = true
    this.#syncing ??= setTimeout(() => {
      this.#isUnsynced = false
      const done = () => {
        this.#syncing = null
        if (this.#isUnsynced) this.#syncSoon()
      }
      if (this.#file === null) done()
      // A failure concerns power cuts only. A disk that is failing also fails to write, which is reported.
      else this.#sync(this.#file, done)
    }, SYNC_EVERY_MS)
    // What a process wrote before it ends by itself is settled, or left to the kernel.
    this.#syncing.unref()
  }

  /** Renamed into place when complete: a process killed meanwhile leaves the old file. */
  #rewrite(): void {
    this.#makeDirectory()
    const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND } = constants
    const file = openSync(`${this.#path}.new`, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
    try {
      giveToOwnerOf(this.#directory, `${this.#path}.new`)
      this.#bytes = 0
      this.#append(file, `${this.#header}${[...this.#open.values()].join('')}`)
      renameSync(`${this.#path}.new`, this.#path)
    } catch (error) {
      closeSync(file)
      rmSync(`${this.#path}.new`, { force: true })
      throw error
    }
    if (this.#file !== null) closeSync(this.#file)
    this.#file = file
    this.#rewriteAt = Math.max(REWRITE_BYTES, 2 * this.#bytes)
    if (this.#isFailureLogged) this.#log.info({ path: this.#path }, 'delivery journal is writable again')
    this.#isFailureLogged = false
  }

  #makeDirectory(): void {
    const made = mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    if (made !== undefined) giveToOwnerOf(dirname(this.#directory), this.#directory)
  }

  #append(file: number, text: string): void {
    const bytes = Buffer.from(text)
    const written = writeSync(file, bytes)
    this.#bytes += written
    // The disk is full: the line is truncated, and entries written after it would be lost with it.
    if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`)
  }

  #empty(): void {
    if (this.#file === null) return
    this.#bytes = Buffer.byteLength(this.#header)
    ftruncateSync(this.#file, this.#bytes)
    this.#rewriteAt = REWRITE_BYTES
  }

  /** An unwritable journal costs its protection, never mail. Entries already in the file stay valid. */
  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (this.#file !== null) closeSync(this.#file)
      this.#file = null
      if (this.#isFailureLogged) return
      this.#isFailureLogged = true
      this.#log.warn(
        { err: error, path: this.#path },
        'could not write the delivery journal: mail continues, but emails delivered just before a crash may be sent twice',
      )
    }
  }
}
