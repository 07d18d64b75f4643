import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { titleOf } from '../../../test/support/absent-programs.ts'

const FOLDER = import.meta.dirname
const PYTHON = join(FOLDER, '../../python')

export type Language = 'python' | 'php'

interface Program {
  title: string
  command: string
  /** Succeeds if the program has what the client needs. */
  probe: readonly string[]
  needs: string
  /** The packages of Debian that have it. */
  packages: string
  worker: string
}

const PROGRAMS: Record<Language, Program> = {
  python: {
    title: 'Python',
    command: 'python3',
    probe: ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
    needs: 'python3 3.9 or later',
    packages: 'python3',
    worker: 'worker.py',
  },
  php: {
    title: 'PHP',
    command: 'php',
    probe: ['-r', "exit(PHP_VERSION_ID >= 80100 && extension_loaded('curl') ? 0 : 1);"],
    needs: 'php 8.1 or later with its curl extension',
    packages: 'php-cli php-curl',
    worker: 'worker.php',
  },
}

/** The languages of the clients. `title` says why the tests of one are skipped. */
export const LANGUAGES = (Object.keys(PROGRAMS) as Language[]).map((language) => {
  const { title, command, probe, needs, packages } = PROGRAMS[language]
  const isAbsent = !succeeds(command, probe)
  return { language, isAbsent, title: titleOf(title, isAbsent, needs, packages) }
})

function succeeds(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** An error of the client in the interpreter, or an exception of the snippet (`exception`). */
export class SnippetError extends Error {
  readonly fields: Readonly<Record<string, unknown>>

  constructor(fields: Record<string, unknown>) {
    super(`${fields.name}: ${fields.message}`)
    this.fields = fields
  }
}

export interface Interpreter {
  /**
   * Runs a snippet, which sees the variables of earlier ones and a client as `sendwright`. Resolves to its variable
   * `result`. Rejects with SnippetError.
   */
  // biome-ignore lint/suspicious/noExplicitAny: tests read results freely; a wrong access fails the test
  run(code: string): Promise<any>
  close(): Promise<void>
}

/** Forgets the variables of earlier snippets, and continues with the client of another team. */
const RESETS: Record<Language, (key: string) => string> = {
  python: (key) => `
import os
for name in set(globals()) - {"__builtins__", "Sendwright", "SendwrightError", "os"}:
    del globals()[name]
del name
os.environ["SENDWRIGHT_API_KEY"] = "${key}"
sendwright, result = Sendwright(), None`,
  php: (key) => `
foreach (array_diff(array_keys(get_defined_vars()), ['line', 'GLOBALS']) as $name) unset($$name);
unset($name);
putenv('SENDWRIGHT_API_KEY=${key}');
$sendwright = new Sendwright\\Sendwright();
$result = null;`,
}

/** Lets tests use one interpreter one after another, because Python takes longer to start than most of them to run. */
export function createInterpreters(language: Language) {
  let current: (Interpreter & { isIdle(): boolean }) | null = null
  return {
    /** Returns an interpreter without variables whose client calls this server, the same for each team. */
    async enter(url: string, key: string): Promise<Interpreter> {
      // A snippet of a failed test may never end.
      if (current?.isIdle() === false) await current.close()
      if (current?.isIdle() !== true) current = startInterpreter(language, url, key)
      await current.run(RESETS[language](key))
      return current
    },
    close: async () => current?.close(),
  }
}

function startInterpreter(language: Language, url: string, key: string) {
  const { command, worker } = PROGRAMS[language]
  const environment = { PATH: process.env.PATH, SENDWRIGHT_URL: url, SENDWRIGHT_API_KEY: key }
  const program = spawn(command, [join(FOLDER, worker)], {
    env: { ...environment, PYTHONPATH: PYTHON, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]()
  let running = 0
  return {
    isIdle: () => running === 0,
    // biome-ignore lint/suspicious/noExplicitAny: tests read results freely; a wrong access fails the test
    async run(code: string): Promise<any> {
      running++
      program.stdin.write(`${JSON.stringify({ code })}\n`)
      const { value: line, done } = await lines.next()
      if (done) throw new Error(`The interpreter ended with this snippet:\n${code}`)
      running--
      const { value, error } = JSON.parse(line)
      if (error !== undefined) throw new SnippetError(error)
      return value
    },
    async close() {
      if (program.exitCode !== null || program.signalCode !== null) return
      const end = once(program, 'exit')
      program.stdin.end()
      // A snippet that still runs does not read the end of its input.
      program.kill()
      await end
    },
  }
}
