import { accessSync, constants, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { replaceFolder } from './replace-folder.ts'

// Bundles the server into `dist`, for a clone before it starts (bin/built-server.mjs) and for the package. Node.js then loads
// tens of files instead of a thousand, which takes half the time and memory (docs/adr/0056-bundled-server.md).

const ROOT = join(import.meta.dirname, '..', '..')
const DIST = join(ROOT, 'dist')
/** The URL of a module that a thread runs. */
const THREAD_URL = /new URL\('\.\/([\w-]+-thread)\.ts', import\.meta\.url\)/g
/** The one library inside the bundle, because it has 370 modules. npm installs the others beside it, so that operators can update them. */
const BUNDLED_LIBRARY = 'typebox'
/** The folders that bin/built-server.mjs watches, and the library. */
const SOURCES = /^(?:src|packages\/sdk\/src|node_modules\/typebox)\//

/**
 * Bundles the server into `dist`. The names of its files stay the same, so that a server that runs meanwhile finds the threads that it
 * has not started yet.
 * @param stamp the hash of the sources; null for a package, which has no sources
 */
export async function buildServer(stamp: string | null): Promise<void> {
  // An error before the work, instead of one after it at each start.
  accessSync(ROOT, constants.W_OK)
  const files = await bundle()
  const making = join(ROOT, `.making-${process.pid}`)
  mkdirSync(making, { recursive: true })
  try {
    for (const { fileName, content } of files) writeFileSync(join(making, fileName), content)
    cpSync(join(ROOT, 'node_modules', BUNDLED_LIBRARY, 'license'), join(making, 'licenses.txt'))
    if (stamp !== null) writeFileSync(join(making, 'stamp.txt'), stamp)
    replaceFolder(DIST, making)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

async function bundle(): Promise<{ fileName: string; content: string | Uint8Array }[]> {
  const build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: 'src/main.ts',
    external: isExternal,
    plugins: [threads, watchedSources],
  })
  const { output } = await build.generate({
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: { annotation: false, jsdoc: false, legal: true },
    // Files of two bundles fail to load together, instead of taking one function for another.
    minifyInternalExports: false,
  })
  await build.close()
  return output.map((file) => ({
    fileName: file.fileName,
    content: file.type === 'chunk' ? escapeNonAscii(file.code) : file.source,
  }))
}

/** Escapes what is not ASCII: V8 keeps the source in memory, with two bytes for each character if a single one needs them. */
function escapeNonAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function isExternal(id: string): boolean {
  return !/^[./]/.test(id) && id !== BUNDLED_LIBRARY && !id.startsWith(`${BUNDLED_LIBRARY}/`)
}

const threads: Plugin = {
  name: 'threads',
  transform: {
    filter: { code: THREAD_URL },
    handler(code, importer) {
      return code.replace(THREAD_URL, (_, name: string) => {
        this.emitFile({ type: 'chunk', id: join(dirname(importer), `${name}.ts`), name })
        return `new URL('./${name}.js', import.meta.url)`
      })
    },
  },
}

/** Refuses a module that bin/built-server.mjs does not watch: after a change of it, the former bundle would stay in use. */
const watchedSources: Plugin = {
  name: 'watched-sources',
  transform: {
    handler(_, id) {
      const path = relative(ROOT, id)
      if (id.startsWith(`${ROOT}/`) && !SOURCES.test(path))
        throw new Error(`${path} is not among the sources of bin/built-server.mjs.`)
    },
  },
}

const [, script, stamp] = process.argv
if (script === import.meta.filename) {
  await buildServer(stamp ?? null).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error
    console.error(`The bundle of the server cannot be written: ${error.message}`)
    process.exitCode = 1
  })
}
