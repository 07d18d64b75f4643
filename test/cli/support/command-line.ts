import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Child, type Ended, runCommand, spawnCommand, startCommand } from '../../support/command.ts'
import type { Sender } from '../../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../../support/shared-sendwright.ts'

type Settings = Record<string, string>

export interface CommandLine {
  service: SharedSendwright
  sender: Sender
  /** A home of its own, for profiles and positions. */
  home: string
  /** Runs a command to its end. Its output is a pipe, so it is JSON. No setting of a server is set. */
  run(args: readonly string[], settings?: Settings, input?: string): Promise<Ended>
  /** Runs it as a separate process. */
  spawn(args: readonly string[], settings?: Settings, input?: string): Promise<Ended>
  /** Starts a separate process that runs until a signal. */
  start(args: readonly string[], settings?: Settings): Child
}

/** Runs a server in capture mode, and commands. */
export function useCommandLine(): CommandLine {
  const surroundings = (settings: Settings = {}) => {
    const known = { SENDWRIGHT_URL: line.service.url, SENDWRIGHT_API_KEY: line.sender.token }
    return { environment: { HOME: line.home, ...known, ...settings }, directory: line.home }
  }
  const line = {
    start: (args, settings) => startCommand(args, surroundings(settings)),
    run: (args, settings, input) => runCommand(args, surroundings(settings), input),
    spawn: (args, settings, input) => spawnCommand(args, surroundings(settings), input),
  } as CommandLine
  beforeAll(async () => {
    line.home = mkdtempSync(join(tmpdir(), 'sendwright-developer-'))
    line.service = await shareSendwright('capture')
    line.sender = await line.service.givenSender()
  })
  afterAll(() => rmSync(line.home, { recursive: true }))
  return line
}
