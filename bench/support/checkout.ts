import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { REPOSITORY } from './children.ts'

/** A directory with the sources of the product, and how its server is started. */
export interface Checkout {
  main: string
  /** The entry of its sources, which a profile names. */
  sourceMain: string
  /** The Node.js that this version of the product runs on. */
  node: string
  flags: readonly string[]
  environment: Readonly<Record<string, string>>
}

interface NodeFlags {
  NODE_FLAGS: readonly string[]
  /** Older commits have none. */
  NODE_ENVIRONMENT?: Readonly<Record<string, string>>
}

interface BuiltServer {
  SERVER: string
  ensureServerBuilt(): Promise<number>
}

/** Throws if the product cannot run in `directory`, for example because its packages are not installed. */
export async function openCheckout(directory = REPOSITORY): Promise<Checkout> {
  const root = resolve(directory)
  const sourceMain = join(root, 'src', 'main.ts')
  const node = join(root, 'node_modules', '.bin', 'node')
  const flagsPath = join(root, 'bin', 'node-flags.mjs')
  for (const path of [sourceMain, node, flagsPath]) {
    if (!existsSync(path)) throw new Error(`${path} is missing; is it a checkout after npm ci?`)
  }
  const { NODE_FLAGS, NODE_ENVIRONMENT = {} } = (await import(pathToFileURL(flagsPath).href)) as NodeFlags
  return { main: await findMain(root), sourceMain, node, flags: NODE_FLAGS, environment: NODE_ENVIRONMENT }
}

/** Returns what the launcher of this version starts. */
async function findMain(root: string): Promise<string> {
  const builder = join(root, 'bin', 'built-server.mjs')
  if (existsSync(builder)) {
    const { ensureServerBuilt, SERVER } = (await import(pathToFileURL(builder).href)) as BuiltServer
    if ((await ensureServerBuilt()) !== 0) throw new Error(`the server of ${root} cannot be bundled`)
    return SERVER
  }
  // Older commits start with the second.
  const mains = [join(root, 'bin', 'main.mjs'), join(root, 'src', 'main.ts')]
  return mains.find((path) => existsSync(path)) ?? join(root, 'src', 'main.ts')
}
