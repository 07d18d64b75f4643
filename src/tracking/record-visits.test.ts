import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../db/db.ts'
import { createLog } from '../lib/log.ts'
import { createVisitRecorder } from './record-visits.ts'

test('during a database outage visits are dropped, in bounded memory and with an occasional log line', async () => {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const away = 'postgres://nobody@127.0.0.1:1/none'
  const db = openDb(away, { connectionsMax: 1, timeoutMs: 1_000, name: 'test' })
  onTestFinished(() => db.close())
  const recorder = createVisitRecorder({
    db,
    clock: { now: () => new Date() },
    log: createLog('warn', destination),
  })
  const visit = { method: 'GET', ipAddress: '192.0.2.1', userAgent: 'Mozilla/5.0 (X11)', purpose: null }
  const record = (emailId: string) =>
    recorder.record({
      tracked: { kind: 'opened', teamId: '0198c0de-0000-7000-8000-000000000001', emailId, no: 0, link: '' },
      visit,
      at: new Date(),
    })
  for (let no = 0; no < 20_000; no++) record('0198c0de-0000-7000-8000-000000000002')
  for (let no = 0; no < 1_000; no++) record(crypto.randomUUID())
  await recorder.idle()
  expect(lines).toHaveLength(1)
  // The link that was requested repeatedly did not cause others to be dropped.
  expect(lines[0]).toContain('DatabaseUnavailable')
})
