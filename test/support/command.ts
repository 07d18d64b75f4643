import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, vi } from 'vitest'
import { SERVER } from '../../bin/built-server.mjs'
import { DEVELOPER_COMMANDS } from '../../src/cli/developer/commands.ts'
import { runDeveloperCommand } from '../../src/cli/developer/run.ts'
import { runOperatorCommand } from '../../src/cli/operator/run.ts'

const PATH = '/usr/bin:/bin'
/** Ends a test whose command leaves a handle open. A slow machine must not reach it. */
const HANDLES_TIMEOUT_MS = 60_000

/** The surroundings of a command. */
export interface Surroundings {
  /** All variables of its environment but PATH. */
  environment: Readonly<Record<string, string>>
  /** Its working directory; by default that of the tests. */
  directory?: string
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read output freely; a wrong access fails the test
  json(): any
}

export type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** Starts the command line as a separate process, with a pipe for each of its streams. */
export function startCommand(args: readonly string[], { environment, directory }: Surroundings): Child {
  return spawn(process.execPath, [SERVER, ...args], {
    env: { PATH, ...environment },
    cwd: directory,
    stdio: 'pipe',
  })
}

/** Runs the command line as a separate process: for what only a process proves, as every start costs most of a second. */
export async function spawnCommand(args: readonly string[], given: Surroundings, input = ''): Promise<Ended> {
  const child = startCommand(args, given)
  child.stdin.end(input)
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return endedOf(await code, stdout, stderr)
}

/**
 * Runs a command in this process: the program that main.ts chooses, with the environment, directory and streams of a
 * process whose streams are pipes. Commands run one after another, because a process has these only once. Fails if a
 * command leaves a handle open, which would keep its own process alive.
 */
export function runCommand(args: readonly string[], given: Surroundings, input = ''): Promise<Ended> {
  const ended = previous.then(() => runAlone(args, given, input))
  previous = ended.catch(() => {})
  return ended
}

let previous: Promise<unknown> = Promise.resolve()

async function runAlone(args: readonly string[], given: Surroundings, input: string): Promise<Ended> {
  const [stdout, stderr] = [new Captured(), new Captured()]
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false })
  const putBack = replaceProcess(given, { stdin, stdout, stderr })
  const runCommandLine = Object.hasOwn(DEVELOPER_COMMANDS, args[0] ?? '')
    ? runDeveloperCommand
    : runOperatorCommand
  try {
    const code = await withoutOpenHandles(() => runCommandLine(args))
    return endedOf(code, stdout.text, stderr.text)
  } finally {
    putBack()
  }
}

function endedOf(code: number | null, stdout: string, stderr: string): Ended {
  return { code, stdout, stderr, json: () => JSON.parse(stdout) }
}

class Captured extends Writable {
  readonly #chunks: Buffer[] = []

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk)
    done()
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString()
  }
}

/** Gives this process the surroundings and streams of a command. Returns a function that gives it back its own. */
function replaceProcess({ environment, directory }: Surroundings, streams: Record<string, object>) {
  const { exitCode } = process
  const before = { environment: { ...process.env }, directory: process.cwd() }
  const descriptors = Object.keys(streams).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name) ?? {}] as const,
  )
  for (const [name, stream] of Object.entries(streams)) {
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => stream })
  }
  setEnvironment({ PATH, ...environment })
  if (directory !== undefined) process.chdir(directory)
  process.exitCode = undefined
  return () => {
    process.exitCode = exitCode
    process.chdir(before.directory)
    setEnvironment(before.environment)
    for (const [name, descriptor] of descriptors) Object.defineProperty(process, name, descriptor)
  }
}

/** Changes the environment itself, because the system reads it too, for example HOME in `homedir()`. */
function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, variables)
}

/** A timer, socket, server or child process: each keeps its process alive, unless it was told not to. */
interface Handle {
  type: string
  hasRef(): boolean
}

const handlesOfCommand = new AsyncLocalStorage<Map<number, Handle>>()

/** Does the work, then waits until every handle that it opened is closed or does not keep the process alive. */
async function withoutOpenHandles<T>(work: () => Promise<T>): Promise<T> {
  const handles = new Map<number, Handle>()
  const hook = createHook({
    init(id, type, _, resource) {
      const isOfCommand = handlesOfCommand.getStore() === handles && 'hasRef' in resource
      if (isOfCommand) handles.set(id, { type, hasRef: () => (resource as Handle).hasRef() })
    },
    destroy: (id) => void handles.delete(id),
    trackPromises: false,
  })
  hook.enable()
  const open = () => [...handles.values()].filter((handle) => handle.hasRef()).map(({ type }) => type)
  try {
    const result = await handlesOfCommand.run(handles, work)
    await vi.waitFor(() => expect(open(), 'handles that the command left open').toEqual([]), {
      timeout: HANDLES_TIMEOUT_MS,
      interval: 5,
    })
    return result
  } finally {
    hook.disable()
  }
}
