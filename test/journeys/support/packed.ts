import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { copyDependencies, unpack } from '../../../ops/release/copy-dependencies.ts'
import { type Child, follow } from './children.ts'

/** The Node.js of the user, which may be older than the one of the tests. npm names the one that it runs on. */
const USER_NODE = process.env.npm_node_execpath ?? process.execPath

/**
 * Installs the tarball in a folder as `npm install --ignore-scripts` does, but takes the packages that it depends on from
 * this clone, so that the journey needs no network.
 */
export function installTarball(tarball: string, folder: string): void {
  unpack(tarball, join(folder, 'node_modules', 'sendwright'))
  copyDependencies(folder, true)
  mkdirSync(join(folder, 'node_modules', '.bin'))
  symlinkSync('../sendwright/bin/sendwright.mjs', join(folder, 'node_modules', '.bin', 'sendwright'))
}

/**
 * Runs the installed program in its folder, with nothing of this environment but PATH.
 * @param input standard input
 */
export function runInstalled(folder: string, args: readonly string[], input?: string): Child {
  const program = join(folder, 'node_modules', '.bin', 'sendwright')
  // Profiles of the command line are stored in the home.
  const env = { PATH: process.env.PATH ?? '', HOME: folder }
  const child = spawn(USER_NODE, [program, ...args], { cwd: folder, env, stdio: 'pipe' })
  child.stdin.end(input)
  return follow(child)
}
