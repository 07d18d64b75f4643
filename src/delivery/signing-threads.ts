import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type Batcher, createBatcher } from '../lib/async/batcher.ts'
import type { DkimKey } from '../mime/dkim.ts'

/** A message to sign. It must not change before it is signed. */
export interface SignJob {
  message: Buffer
  keys: readonly DkimKey[]
  at: Date
}

/** A batch in the form that is sent to a thread: one block of memory is moved, where many would be copied. */
export interface SignBatch {
  /** The messages, one after the other. */
  messages: ArrayBuffer
  jobs: { sizeBytes: number; keys: readonly DkimKey[]; at: Date }[]
}

/** The DKIM-Signature fields in Latin-1, or the error of that message alone. */
export type SignResult = string | Error

/** A thread signs about 3,000 messages a second. The other processors are for PostgreSQL and the event loop. */
const THREADS_MAX = Math.min(4, Math.ceil(availableParallelism() / 2))
/** A message waits for those of its batch: at most about five milliseconds. */
const BATCH_COUNT_MAX = 16
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }
const ENTRY = new URL('./signing-thread.ts', import.meta.url)

/**
 * Signs small messages on threads. While one batch is signed, the next one gathers: waking a thread for each signature
 * takes the event loop longer than everything else that a message needs.
 *
 * States of a thread: absent (nothing was signed yet, or it crashed), idle, busy with one batch. It never keeps the process
 * alive.
 */
export function createSigningThreads(threadsMax: number = THREADS_MAX): Batcher<SignJob, string> {
  const idle: Worker[] = []
  return createBatcher<SignJob, string>({
    itemsMax: BATCH_COUNT_MAX,
    runsMax: threadsMax,
    overlapAt: BATCH_COUNT_MAX / 2,
    async run(jobs) {
      const thread = idle.pop() ?? startThread(idle)
      const results = await requestResults(thread, packJobs(jobs))
      idle.push(thread)
      return results
    },
  })
}

function startThread(idle: Worker[]): Worker {
  const thread = new Worker(ENTRY, { resourceLimits: LIMITS })
  thread.unref()
  // Without a listener, an error between two batches would crash the process.
  thread.on('error', () => {})
  thread.on('exit', () => {
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
  })
  return thread
}

function packJobs(jobs: readonly SignJob[]): SignBatch {
  const packed = Buffer.allocUnsafeSlow(jobs.reduce((sum, { message }) => sum + message.length, 0))
  let end = 0
  for (const { message } of jobs) end += message.copy(packed, end)
  return {
    messages: packed.buffer as ArrayBuffer,
    jobs: jobs.map(({ message, keys, at }) => ({ sizeBytes: message.length, keys, at })),
  }
}

function requestResults(thread: Worker, batch: SignBatch): Promise<SignResult[]> {
  return new Promise((resolve, reject) => {
    const onExit = () => finish(() => reject(new Error('The signing thread exited before it signed.')))
    const onError = (error: unknown) => finish(() => reject(error))
    const onResults = (results: SignResult[]) => finish(() => resolve(results))
    const finish = (settle: () => void) => {
      thread.off('message', onResults).off('error', onError).off('exit', onExit)
      settle()
    }
    thread.on('message', onResults).on('error', onError).on('exit', onExit)
    thread.postMessage(batch, [batch.messages])
  })
}
