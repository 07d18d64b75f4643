import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findKeptFolder, makeRunFolder } from './run-folder.ts'

test('empty: a run that leaves nothing, and its folder is removed', async () => {
  const folder = makeRunFolder()
  expect(await folder.findLeftovers()).toEqual([])
  folder.remove()
  expect(existsSync(folder.path)).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'named: folders and orphaned processes that a run leaves',
  async () => {
    const folder = makeRunFolder()
    onTestFinished(() => folder.remove())
    mkdirSync(join(folder.path, 'forgotten'))
    // The shell prints the id of its child and ends, so that the child is an orphan.
    const shell = spawn('/bin/sh', ['-c', '/bin/sleep 60 >/dev/null 2>&1 & echo $!'], {
      env: folder.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = (await once(shell.stdout, 'data')) as [Buffer]
    const pid = Number(printed.toString())
    onTestFinished(() => void process.kill(pid, 'SIGKILL'))
    expect(await folder.findLeftovers()).toEqual([
      `process ${pid}: /bin/sleep 60`,
      join(folder.path, 'forgotten'),
    ])
  },
)

test('the run of this test has a temporary directory of its own, beside the kept caches', () => {
  expect(process.env.TMPDIR).toMatch(/\/sw-\w{6}$/)
  expect(process.env.TMPDIR?.startsWith(join(findKeptFolder(), 'sw-'))).toBe(true)
})
