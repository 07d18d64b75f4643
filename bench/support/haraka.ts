import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  makeDirectory,
  NODE,
  REPOSITORY,
  removeDirectory,
  runChild,
  startChild,
  stopChild,
  waitForPort,
} from './children.ts'
import { DOMAIN } from './names.ts'

export interface Haraka {
  pid: number
  stop(): Promise<void>
}

/** Exact versions, without Haraka's optional plugins. */
const PACKAGES = ['Haraka@3.3.4', 'haraka-plugin-dkim@1.3.1']
/** Installed once and then kept beside other caches of development tools. */
const PREFIX = join(REPOSITORY, 'node_modules', '.cache', 'sendwright-bench', PACKAGES.join('+'))
const HARAKA = join(PREFIX, 'node_modules', 'Haraka')
const PROGRAM = join(HARAKA, 'bin', 'haraka')
const INSTALL_TIMEOUT_MS = 180_000
const SELECTOR = 'bench'

/** Installs Haraka from npm on first use. Resolves to null, or to a sentence that says why it cannot run. */
export async function installHaraka(): Promise<string | null> {
  if (existsSync(PROGRAM)) return null
  process.stderr.write('Installing Haraka with npm ...\n')
  mkdirSync(PREFIX, { recursive: true })
  const flags = ['--no-save', '--no-audit', '--no-fund', '--omit=optional', '--ignore-scripts']
  const args = ['install', ...flags, '--prefix', PREFIX, ...PACKAGES]
  const { stderr } = await runChild('npm', args, { cwd: PREFIX, timeoutMs: INSTALL_TIMEOUT_MS })
  if (existsSync(PROGRAM)) return null
  return `Haraka is skipped: npm could not install it (${stderr.trim().split('\n').at(-1)}).`
}

/** Relays for every client, and sends all mail to the sink, like Postfix's relayhost. */
function writePlugin(sinkPort: number): string {
  return `exports.hook_connect = (next, connection) => {
  connection.relaying = true
  next()
}
exports.hook_rcpt = (next) => next(OK)
exports.hook_get_mx = (next) => next(OK, { priority: 0, exchange: '127.0.0.1', port: ${sinkPort} })
`
}

/**
 * Starts Haraka with its queue on disk and a process for each processor. It signs with RSA-2048 and delivers to the sink.
 */
export async function startHaraka({ port, sinkPort }: { port: number; sinkPort: number }): Promise<Haraka> {
  const directory = makeDirectory('haraka')
  const write = (path: string, text: string) => writeFileSync(join(directory, path), text, { mode: 0o600 })
  for (const path of [`config/dkim/${DOMAIN}`, 'plugins', 'queue']) {
    mkdirSync(join(directory, path), { recursive: true })
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  write(`config/dkim/${DOMAIN}/private`, `${privateKey.export({ type: 'pkcs1', format: 'pem' })}`)
  write(`config/dkim/${DOMAIN}/selector`, SELECTOR)
  write('config/dkim.ini', '[sign]\nenabled=true\n[verify]\nenabled=false\n')
  // Haraka expects all sections of this file.
  copyFileSync(join(HARAKA, 'config', 'connection.ini'), join(directory, 'config', 'connection.ini'))
  write('config/plugins', 'bench_route\ndkim\n')
  write('config/smtp.ini', `listen=127.0.0.1:${port}\nnodes=cpus\n`)
  write('config/outbound.ini', 'local_mx_ok=true\nenable_tls=false\n')
  // A log line for each command would be a cost that other subjects do not have.
  write('config/log.ini', '[main]\nlevel=warn\n')
  write('config/me', `mail.${DOMAIN}`)
  write('plugins/bench_route.js', writePlugin(sinkPort))
  const child = startChild(NODE, [PROGRAM, '-c', directory], { cwd: directory })
  await waitForPort(port, child)
  return {
    pid: child.pid ?? 0,
    async stop() {
      await stopChild(child)
      removeDirectory(directory)
    },
  }
}
