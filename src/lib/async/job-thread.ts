import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'
import { createFairSemaphore } from './fair-semaphore.ts'

/**
 * Runs a job on a worker thread, one job at a time. Rejects with the error that the job throws, or with OverloadedError when the job
 * waited too long for its turn.
 */
export type RunJob<Job, Result> = (job: Job, turn: JobTurn) => Promise<Result>

export interface JobTurn {
  /** Teams whose jobs wait are served in turn. */
  teamId: string
  /** Moved to the thread without a copy. */
  transfer?: readonly Transferable[]
  /** Whether the job leaves so much in the heap of the thread that the thread ends with the job. */
  isLarge: boolean
}

/** The thread's reply to one job. */
export type JobAnswer<Result> = { result: Result } | { error: unknown }

export interface JobThreadOptions {
  /** The module that the thread runs. It replies to each message with one `JobAnswer`. */
  entry: URL
  limits: ResourceLimits
  /** After this time without a job the thread exits and frees its memory. */
  idleMs: number
  /** Returns the error to throw for a reply's error, which lost its class between the threads. */
  restoreError(error: unknown): unknown
}

/** Longer than the largest contents that a process admits at once take. */
const WAIT_MS = 120_000

/** Large jobs of all threads run one at a time: two would have their heaps and contents in memory at once. */
const largeJobs = createFairSemaphore({ places: 1, waitMs: WAIT_MS })
/** Resolves when the thread of the last large job has exited, and its heap is free. */
let largeEnded: Promise<unknown> = Promise.resolve()

/**
 * Returns a function that runs jobs on one worker thread. States of the thread: absent (no job yet, the last job was large,
 * or it ended more than `idleMs` ago), busy (one job runs, the others are queued by team), idle (it waits for a job and does
 * not keep the process alive). If the thread crashes (memory, a bug), its current job fails and the next job gets a new
 * thread.
 */
export function createJobThread<Job, Result>(options: JobThreadOptions): RunJob<Job, Result> {
  const { entry, limits, idleMs, restoreError } = options
  const gate = createFairSemaphore({ places: 1, waitMs: WAIT_MS })
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined

  function requireWorker(): Worker {
    if (worker !== null) return worker
    const started = new Worker(entry, { resourceLimits: limits })
    started.on('exit', () => {
      if (worker === started) worker = null
    })
    // Without a listener, an error between two jobs would crash the process.
    started.on('error', () => {})
    worker = started
    return started
  }

  /** Terminates the thread. Forgets it first, so that a job that arrives meanwhile gets a new thread. */
  function end(thread: Worker): Promise<unknown> {
    if (worker === thread) worker = null
    return thread.terminate()
  }

  async function runNow(job: Job, { transfer = [], isLarge }: JobTurn): Promise<Result> {
    clearTimeout(idle)
    const thread = requireWorker()
    thread.ref()
    try {
      const answer = await requestResult<Job, Result>(thread, job, transfer)
      if ('error' in answer) throw restoreError(answer.error)
      return answer.result
    } finally {
      thread.unref()
      if (isLarge) largeEnded = end(thread)
      else idle = setTimeout(() => void end(thread), idleMs).unref()
    }
  }

  async function runLarge(job: Job, turn: JobTurn): Promise<Result> {
    await largeEnded
    return gate.run(turn.teamId, () => runNow(job, turn))
  }

  return (job, turn) =>
    turn.isLarge
      ? largeJobs.run(turn.teamId, () => runLarge(job, turn))
      : gate.run(turn.teamId, () => runNow(job, turn))
}

function requestResult<Job, Result>(
  thread: Worker,
  job: Job,
  transfer: readonly Transferable[],
): Promise<JobAnswer<Result>> {
  return new Promise((resolve, reject) => {
    const onExit = () =>
      finish(() => reject(new Error('The worker thread exited before it returned a result.')))
    const onError = (error: unknown) => finish(() => reject(error))
    const onAnswer = (answer: JobAnswer<Result>) => finish(() => resolve(answer))
    const finish = (settle: () => void) => {
      thread.off('message', onAnswer).off('error', onError).off('exit', onExit)
      settle()
    }
    thread.on('message', onAnswer).on('error', onError).on('exit', onExit)
    thread.postMessage(job, transfer)
  })
}
