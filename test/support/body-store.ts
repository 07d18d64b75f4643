import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listenHere } from './listen-here.ts'

const require = createRequire(import.meta.url)
/** The package has no types. */
const S3rver = require('@20minutes/s3rver') as new (options: {
  address: string
  port: number
  silent: boolean
  directory: string
  configureBuckets: readonly { name: string; configs: readonly string[] }[]
}) => { run(): Promise<{ port: number }>; close(): Promise<void> }

export type StoreMethod = 'PUT' | 'GET' | 'DELETE'
export type StoreMoment = 'before' | 'after'

export interface TestBucket {
  /** The settings that lead to the bucket. */
  environment: Record<string, string>
  /** The number of requests by method. */
  counts: Record<StoreMethod, number>
  /** Closes connections without an answer from now on, or no longer. */
  setAway(isAway: boolean): void
  /** Leaves requests without an answer from now on, or no longer; then the connections of the earlier ones break. */
  setSilent(isSilent: boolean): void
  /** The number of requests that have no answer because the bucket is silent, and whose senders still wait. */
  countUnanswered(): number
  /**
   * Stops at the next request of this method, before the server gets it, or once it has done it. Resolves when a request has
   * come that far. The request is never answered.
   */
  holdNext(method: StoreMethod, moment: StoreMoment): Promise<void>
  stop(): Promise<void>
}

const BUCKET = 'mail-bodies'

/** Starts an S3-compatible server with a bucket, behind a proxy that a test can close. */
export async function startBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'sendwright-s3-'))
  const s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { port } = await s3.run()
  const counts = { PUT: 0, GET: 0, DELETE: 0 }
  let isAway = false
  let isSilent = false
  const unanswered: Socket[] = []
  let held: { method: string; moment: StoreMoment; reached(): void } | null = null

  const proxy = createServer((incoming, outgoing) => {
    if (isAway) return void incoming.socket.destroy()
    if (isSilent) return void unanswered.push(incoming.socket)
    counts[incoming.method as StoreMethod]++
    const hold = held?.method === incoming.method ? held : null
    if (hold !== null) held = null
    if (hold?.moment === 'before') return hold.reached()
    forward(port, incoming, outgoing, hold?.reached ?? null)
  })
  const { url, close } = await listenHere(proxy)
  return {
    environment: {
      SENDWRIGHT_BODIES: `s3://${BUCKET}/some/where`,
      SENDWRIGHT_S3_ENDPOINT: url,
      SENDWRIGHT_S3_ACCESS_KEY: 'S3RVER',
      SENDWRIGHT_S3_SECRET_KEY: 'S3RVER',
    },
    counts,
    setAway(value) {
      isAway = value
    },
    setSilent(value) {
      isSilent = value
      for (const socket of unanswered.splice(0)) socket.destroy()
    },
    countUnanswered: () => unanswered.filter(({ destroyed }) => !destroyed).length,
    holdNext: (method, moment) =>
      new Promise((resolve) => {
        held = { method, moment, reached: resolve }
      }),
    async stop() {
      await close()
      await s3.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** @param reached called instead of answering, once the server has done what was asked */
function forward(
  port: number,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  reached: (() => void) | null,
): void {
  const { method, url: path, headers } = incoming
  const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    if (reached !== null) {
      answer.resume().on('end', reached)
      return
    }
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(outgoing)
  })
  onward.on('error', () => incoming.socket.destroy())
  incoming.pipe(onward)
}
