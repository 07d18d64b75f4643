import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

// Bundles the server into `dist`, for a clone before it starts (bin/built-server.mjs) and for the package. Node.js then loads
// tens of files instead of a thousand, which takes half the time and memory (docs/adr/0056-bundled-server.md).

const ROOT = join(import.meta.dirname, '..', '..')
const DIST = join(ROOT, 'dist')
/** The URL of a module that a thread runs. */
const THREAD_URL = /new URL\('\.\/([\w-]+-thread)\.ts', import\.meta\.url\)/g
/**
 * The one library inside the bundle, because it has 370 modules. npm installs the others beside it, so that whoever runs the
 * server can update them.
 */
const BUNDLED_LIBRARY = 'typebox'
/** A file that another build is about to rename. */
const IN_PROGRESS = /\.\d+$/
/** The folders that bin/built-server.mjs watches, and the library. */
const SOURCES = /^(?:src|packages\/sdk\/src|node_modules\/typebox)\//

/**
 * Bundles the server into `dist`, and removes what a former bundle left there. The names of the files stay the same: a server
 * that runs meanwhile finds the threads that it has not started yet.
 * @param stamp of the sources, written last; null for a package, which has none
 */
export async function buildServer(stamp: string | null): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: 'src/main.ts',
    external: isExternal,
    plugins: [threads, watchedSources],
  })
  const { output } = await bundle.generate({
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: { annotation: false, jsdoc: false, legal: true },
  })
  await bundle.close()
  mkdirSync(DIST, { recursive: true })
  for (const file of output) replaceFile(file.fileName, file.type === 'chunk' ? file.code : file.source)
  const written = new Set(output.map(({ fileName }) => fileName))
  for (const name of readdirSync(DIST)) {
    if (!written.has(name) && !IN_PROGRESS.test(name))
      rmSync(join(DIST, name), { recursive: true, force: true })
  }
  if (stamp !== null) replaceFile('stamp.txt', stamp)
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
      if (id.startsWith(ROOT) && !SOURCES.test(relative(ROOT, id)))
        throw new Error(`${relative(ROOT, id)} is not among the sources of bin/built-server.mjs.`)
    },
  },
}

/** Another process may be reading the former file. */
function replaceFile(name: string, content: string | Uint8Array): void {
  const file = join(DIST, name)
  writeFileSync(`${file}.${process.pid}`, content)
  renameSync(`${file}.${process.pid}`, file)
}

const [, script, stamp] = process.argv
if (script === import.meta.filename) await buildServer(stamp ?? null)
