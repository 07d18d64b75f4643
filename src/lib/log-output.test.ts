import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = `
  import { createLog, openLogOutput } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
  const log = createLog('info', openLogOutput())
  log.info('running')
  process.on('disconnect', () => {
    for (let line = 0; line < 100; line++) log.info('the reader has gone')
    process.exit(7)
  })
`

test('a process whose log has no reader any more still exits', { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout as NonNullable<typeof child.stdout>, 'data')) as [Buffer]
  expect(JSON.parse(line.toString())).toMatchObject({ level: 'info', msg: 'running' })
  child.stdout?.destroy()
  const ended = once(child, 'exit')
  child.disconnect()
  expect(await ended).toEqual([7, null])
})
