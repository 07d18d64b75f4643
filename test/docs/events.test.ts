import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { EVENT_KINDS } from '../../src/events/catalogue.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/events.md'), 'utf8')

let service: SharedSendwright
let ann: Sender
beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

test('the guide describes every event type', () => {
  const rows = [...GUIDE.matchAll(/^\| `([a-z_.]+\.[a-z_]+)` \| (.+) \|$/gm)].map(([, type, when]) => [
    type,
    when,
  ])
  expect(rows).toEqual(EVENT_KINDS.map(({ type, summary }) => [type, summary]))
})

/** Runs a program of the guide. `printed` returns its output. */
function runProgram(name: string): { child: ChildProcess; printed(): string } {
  const [, code = ''] = new RegExp(`^\`\`\`js\\n(// ${name}\\n[\\s\\S]*?)^\`\`\`$`, 'm').exec(GUIDE) ?? []
  expect(code).not.toBe('')
  const folder = mkdtempSync(join(tmpdir(), 'sendwright-guide-'))
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: folder,
    env: { SENDWRIGHT: service.url, KEY: ann.token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (bytes: Buffer) => {
    printed += bytes
  })
  onTestFinished(async () => {
    child.kill()
    await new Promise((resolve) => child.once('close', resolve))
    rmSync(folder, { recursive: true })
  })
  return { child, printed: () => printed }
}

test.each(['poll.mjs', 'stream.mjs'])('%s of the guide prints each event once', async (name) => {
  const { printed } = runProgram(name)
  const comes = () => expect.poll(printed, { timeout: 60_000, interval: 20 })
  await comes().toContain('domain.verified')
  const { id } = (await ann.post('/suppressions', { email: `${name}@receiver.test` })).json
  await comes().toContain(id)
  const { data } = (await ann.get('/events?limit=1000')).json
  expect(printed().trim().split('\n')).toEqual(
    data.map((event: { type: string; data: { id: string } }) => `${event.type} ${event.data.id}`),
  )
})
