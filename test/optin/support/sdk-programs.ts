import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY, runChild, startChild, stopChild, waitForPort } from '../../../bench/support/children.ts'

/** What a program is given, and returns. */
export interface Given {
  url: string
  token: string
  from: string
  signed: { payload: string; headers: Record<string, string>; secret: string }
}
export interface Done {
  listed: number
  isSame: boolean
  verified: string
  forged: string
  streamed: string
  rejected: string
}

const TIMEOUT_MS = 30_000

/** Compiles the SDK into a folder as npm would install it, with the programs beside it. */
export function writePrograms(folder: string): void {
  const installed = join(folder, 'node_modules/@sendwright/sdk')
  mkdirSync(installed, { recursive: true })
  const source = join(REPOSITORY, 'packages/sdk')
  writeFileSync(join(installed, 'package.json'), readFileSync(join(source, 'package.json')))
  const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', source, '--outDir', join(installed, 'dist')])
  cpSync(join(import.meta.dirname, 'sdk-program'), folder, { recursive: true })
  // Deno looks for packages in node_modules only beside a package.json.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}

/** Returns the version of a program on the PATH, or null. */
export function versionOf(program: string): string | null {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? (stdout.split('\n')[0] ?? '') : null
}

/** Runs the program with a command such as `deno run main.mjs`, in the folder. */
export async function runMain(folder: string, [file = '', ...args]: string[], given: Given): Promise<Done> {
  const options = { cwd: folder, timeoutMs: TIMEOUT_MS }
  const { code, stdout, stderr } = await runChild(file, [...args, JSON.stringify(given)], options)
  if (code !== 0) throw new Error(`${file} failed: ${stderr}`)
  return JSON.parse(stdout)
}

/** Runs the program in workerd, the runtime of Cloudflare Workers, which has no modules of Node.js and no files. */
export async function runWorker(folder: string, port: number, given: Given): Promise<Done> {
  const dist = 'node_modules/@sendwright/sdk/dist'
  const files = readdirSync(join(folder, dist), { recursive: true, encoding: 'utf8' })
  const modules = [
    ['worker.mjs', 'worker.mjs'],
    ['exercise.mjs', 'exercise.mjs'],
    ['@sendwright/sdk', `${dist}/index.js`],
    ...files.filter((file) => file.endsWith('.js')).map((file) => [`@sendwright/${file}`, `${dist}/${file}`]),
  ]
  const embedded = modules.map(([name, file]) => `(name = "${name}", esModule = embed "${file}")`)
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (compatibilityDate = "2026-01-01", globalOutbound = "local", modules = [
      ${embedded.join(',\n      ')}
    ])),
    (name = "local", network = (allow = ["local", "private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`
  writeFileSync(join(folder, 'config.capnp'), config)
  const child = startChild('workerd', ['serve', 'config.capnp'], { cwd: folder, stdio: 'inherit' })
  try {
    await waitForPort(port, child)
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body: JSON.stringify(given),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`workerd failed: ${await response.text()}`)
    return (await response.json()) as Done
  } finally {
    await stopChild(child)
  }
}
