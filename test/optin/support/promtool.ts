import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory, removeDirectory, runChild } from '../../../bench/support/children.ts'

/** The path of promtool, or a sentence with the reason why it is missing. */
export type Promtool = { path: string; remove(): void } | { absent: string }

const INSTALLED = '/usr/bin/promtool'
const INSTALL_TIMEOUT_MS = 300_000

/** Unpacks Debian's package of Prometheus, which would start a server if it were installed. */
export async function installPromtool(): Promise<Promtool> {
  if (existsSync(INSTALLED)) return { path: INSTALLED, remove() {} }
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return { absent: 'promtool is skipped: it is not installed.' }
  const directory = makeDirectory('promtool')
  const script = `cd ${directory} && apt-get update -q && apt-get download prometheus`
  const { stderr } = await runChild('/bin/sh', ['-c', script], { timeoutMs: INSTALL_TIMEOUT_MS })
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.deb')))
    await runChild('dpkg-deb', ['-x', join(directory, file), directory])
  const path = join(directory, 'usr', 'bin', 'promtool')
  if (existsSync(path)) return { path, remove: () => removeDirectory(directory) }
  removeDirectory(directory)
  return { absent: `promtool is skipped: it could not be installed (${stderr.trim().split('\n').at(-1)}).` }
}
