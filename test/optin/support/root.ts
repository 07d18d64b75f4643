import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, follow, REPOSITORY } from '../../journeys/support/children.ts'

const SCRIPTS = join(REPOSITORY, 'ops', 'image')
const USER = 10_001

/** The root file system of the image, and an empty volume. */
export interface Root {
  data: string
  /** Runs `sendwright` as a container does. */
  run(args: readonly string[], settings?: Record<string, string>): Child
  remove(): void
}

/** Builds the root file system without network: with the libraries of this machine in place of a Debian. */
export function buildRoot(): Root {
  const directory = mkdtempSync(join(tmpdir(), 'sendwright-root-'))
  // PostgreSQL and the server run as another user.
  chmodSync(directory, 0o755)
  const root = join(directory, 'root')
  execFileSync(join(SCRIPTS, 'build-root.sh'), [root, 'minimal'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const data = join(directory, 'data')
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, USER, USER)
  return {
    data,
    run(args, settings = {}) {
      const environment = { SENDWRIGHT_DATA_DIR: '/data', HOST: '0.0.0.0', ...settings }
      const words = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
      const command = [root, data, ...words, 'sendwright', ...args]
      return follow(spawn(join(SCRIPTS, 'run-root.sh'), command, { stdio: ['ignore', 'pipe', 'pipe'] }))
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Returns the process id of a server that has started: the child of the process that made its container. */
export function pidOf(child: Child): number {
  return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim())
}

/** Calls the API from inside the container's network. */
export function request(pid: number, path: string, token: string, body?: unknown): unknown {
  const script = `const reply = await fetch('http://127.0.0.1:8080${path}', {
    headers: { authorization: 'Bearer ${token}', 'content-type': 'application/json' },
    ...${JSON.stringify(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) })} })
    process.stdout.write(await reply.text())`
  const args = ['-t', `${pid}`, '--net', process.execPath, '--input-type=module', '-e', script]
  return JSON.parse(execFileSync('nsenter', args, { encoding: 'utf8' }))
}

/** Runs the health check of the image in the container. Returns its exit code. */
export function checkHealth(pid: number): number | null {
  const args = ['-t', `${pid}`, '--mount', '--net', '--root', '/usr/local/bin/sendwright-ready']
  return spawnSync('nsenter', args, { env: {} }).status
}
