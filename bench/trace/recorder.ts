/**
 * Loaded into the server by `--import` when a trace is wanted: writes the steps of the emails that it accepts, its
 * statements and the turns of its event loop that took long, one JSON line each, to the file in BENCH_TRACE_FILE.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { PerformanceObserver } from 'node:perf_hooks'
import pg from 'pg'
import { EMAIL_STEPS, type EmailStepMark } from '../../src/lib/email-steps.ts'
import type { TraceLine } from './trace.ts'

/** Steps are written once the email is surely on the wire. */
const WRITE_AFTER_MS = 3000
const LOOP_CHECK_MS = 1
const LONG_TURN_MS = 3
const LONG_STATEMENT_MS = 3
const SQL_CHARS_MAX = 60

const path = process.env.BENCH_TRACE_FILE as string
const epochMs = (atMs: number) => performance.timeOrigin + atMs
const emails = new Map<string, EmailStepMark[]>()
let lines: TraceLine[] = []
/** When the header of the last POST /emails arrived. */
let requestedMs = 0

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage }
  if (request.method === 'POST' && request.url === '/emails') requestedMs = performance.now()
})

subscribe(EMAIL_STEPS, (message) => {
  const mark = message as EmailStepMark
  const known = emails.get(mark.emailId)
  if (known !== undefined) known.push(mark)
  else if (mark.step === 'composed') {
    emails.set(mark.emailId, [mark])
    lines.push({ kind: 'step', emailId: mark.emailId, what: 'read', fromMs: epochMs(requestedMs), ms: 0 })
  }
})

let checkedMs = performance.now()
setInterval(() => {
  const nowMs = performance.now()
  const ms = nowMs - checkedMs
  if (ms >= LONG_TURN_MS + LOOP_CHECK_MS)
    lines.push({ kind: 'loop', what: '', fromMs: epochMs(checkedMs), ms })
  checkedMs = nowMs
}, LOOP_CHECK_MS).unref()

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    lines.push({
      kind: 'gc',
      what: '',
      fromMs: epochMs(startTime),
      ms: duration,
    })
}).observe({ entryTypes: ['gc'] })

const { query } = pg.Client.prototype
pg.Client.prototype.query = function timedQuery(this: pg.Client, ...given: unknown[]) {
  const startedMs = performance.now()
  const answer = Reflect.apply(query, this, given) as unknown
  const [statement] = given
  const text = (statement as { text?: string }).text ?? String(statement)
  const note = () => {
    const ms = performance.now() - startedMs
    if (ms < LONG_STATEMENT_MS) return
    const what = text.replace(/\s+/g, ' ').trim().slice(0, SQL_CHARS_MAX)
    lines.push({ kind: 'sql', what, fromMs: epochMs(startedMs), ms })
  }
  if (answer instanceof Promise) answer.then(note, note)
  else if (statement instanceof pg.Query) callAtEnd(statement, note)
  return answer
} as typeof query

/** Calls `note` when pg hands the end of its response to a statement, like those of src/db/send-statement.ts. */
function callAtEnd(statement: pg.Query, note: () => void): void {
  const handlers = statement as unknown as Record<string, (...given: unknown[]) => void>
  for (const name of ['handleReadyForQuery', 'handleError']) {
    const handle = handlers[name]
    handlers[name] = (...given) => {
      note()
      handle?.apply(statement, given)
    }
  }
}

function write(everything = false): void {
  const beforeMs = performance.now() - WRITE_AFTER_MS
  for (const [emailId, marks] of emails) {
    if (!everything && (marks[0]?.atMs ?? 0) > beforeMs) break
    for (const { step, atMs } of marks)
      lines.push({ kind: 'step', emailId, what: step, fromMs: epochMs(atMs), ms: 0 })
    emails.delete(emailId)
  }
  if (lines.length > 0) appendFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  lines = []
}
setInterval(write, WRITE_AFTER_MS).unref()
process.on('exit', () => write(true))
