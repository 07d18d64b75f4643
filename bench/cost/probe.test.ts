import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NODE } from '../support/children.ts'
import { probeEnvironment, startProfiles } from './probe-client.ts'

/** A process whose main thread and worker compute, in turns between which their sockets are read. */
const PROGRAM = `
  import { Worker, isMainThread } from 'node:worker_threads'
  function computeTurn() {
    let sum = 0
    for (let number = 0; number < 1e6; number++) sum += Math.sqrt(number)
    console.log(isMainThread ? 'main' : 'worker', sum)
    setTimeout(computeTurn, 1)
  }
  if (isMainThread) new Worker(new URL(import.meta.url))
  computeTurn()
`

/** Turns of the thread that took fewer. */
function countTurns(printed: string): number {
  return Math.min(...['main', 'worker'].map((thread) => printed.split(thread).length - 1))
}

test('Every thread of a process is profiled between start and stop', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'probe-'))
  writeFileSync(join(directory, 'program.mjs'), PROGRAM)
  const child = spawn(NODE, [join(directory, 'program.mjs')], {
    env: { ...process.env, ...probeEnvironment(directory, 500) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    rmSync(directory, { recursive: true })
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await expect
    .poll(() => readdirSync(directory).filter((name) => name.endsWith('.sock')).length, { timeout: 20_000 })
    .toBe(2)

  const stop = await startProfiles(directory)
  printed = ''
  await expect.poll(() => countTurns(printed), { timeout: 20_000 }).toBeGreaterThan(20)
  const profiles = await stop()

  expect(profiles.map(({ pid, threadId }) => [pid, threadId])).toEqual([
    [child.pid, 0],
    [child.pid, 1],
  ])
  for (const { cpuUs, profile } of profiles) {
    expect(cpuUs).toBeGreaterThan(1000)
    expect(profile.nodes.map(({ callFrame }) => callFrame.functionName)).toContain('computeTurn')
  }
})
