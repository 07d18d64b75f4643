import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../../../../test/support/sendwright.ts'

const MAIN = join(import.meta.dirname, '..', '..', '..', '..', 'src', 'main.ts')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read output freely; a wrong access fails the test
  json(): any
}

export type Child = ChildProcessByStdio<Writable, Readable, Readable>

export interface CommandLine {
  service: TestSendwright
  sender: Sender
  /** A home of its own, for profiles and positions. */
  home: string
  /** Runs a command to its end. Its output is a pipe, so it is JSON. No setting of a server is set. */
  run(args: readonly string[], settings?: Record<string, string>, input?: string): Promise<Ended>
  /** Starts a command that runs until a signal. */
  start(args: readonly string[], settings?: Record<string, string>): Child
}

/** Runs a server in capture mode, and commands as separate processes. */
export function useCommandLine(): CommandLine {
  const line = {
    start(args, settings = {}) {
      const known = { SENDWRIGHT_URL: line.service.url, SENDWRIGHT_API_KEY: line.sender.token }
      const env = { PATH: '/usr/bin:/bin', HOME: line.home, ...known, ...settings }
      return spawn(process.execPath, [MAIN, ...args], { env, cwd: line.home, stdio: 'pipe' })
    },
    async run(args, settings, input = '') {
      const child = line.start(args, settings)
      child.stdin.end(input)
      const code = new Promise<number | null>((resolve) => child.once('close', resolve))
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
      return { code: await code, stdout, stderr, json: () => JSON.parse(stdout) }
    },
  } as CommandLine
  beforeAll(async () => {
    line.home = mkdtempSync(join(tmpdir(), 'sendwright-developer-'))
    line.service = await startTestSendwright({
      environment: { SENDWRIGHT_DELIVERY: 'capture' },
      roles: ['api', 'deliver', 'scheduler'],
    })
    line.sender = await line.service.givenSender()
  })
  afterAll(async () => {
    await line.service?.stop()
    rmSync(line.home, { recursive: true })
  })
  return line
}
