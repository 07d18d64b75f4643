import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChild } from '../../../bench/support/children.ts'
import { type Child, follow } from '../../journeys/support/children.ts'

/**
 * Two virtual machines with a cable between them: `near`, where the product runs and all traffic leaves by the cable,
 * and `far`, which is the rest of the Internet. Their addresses look public, but are unreachable from outside.
 */
export interface Network {
  /** The name of the far network, for ip(8). */
  far: string
  /** Runs a TypeScript file on the machine. */
  runScript(where: 'near' | 'far', file: string, args: readonly string[]): Child
  /** Runs a command on the machine and returns its output. Throws when it fails. */
  run(where: 'near' | 'far', command: readonly string[]): string
  close(): void
}

export const NEAR = { v4: '11.0.0.2', v6: '2600:0:0:1::2' }
export const FAR = { v4: '11.0.0.1', v6: '2600:0:0:1::1' }

/** Returns null when networks can be created here; otherwise a sentence with the reason. */
export async function installNetworks(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'Networks are skipped: only root may make them.'
  if (existsSync('/usr/sbin/ip') && existsSync('/usr/sbin/nft')) return null
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = 'apt-get update -q && apt-get install -y -q --no-install-recommends iproute2 nftables'
  const { code, stderr } = await runChild('/bin/sh', ['-c', install], { env, timeoutMs: 300_000 })
  return code === 0 ? null : `Networks are skipped: ${stderr.trim().split('\n').at(-1)}`
}

/**
 * Creates the network.
 * @param hosts names that only this machine resolves (/etc/hosts), with their addresses
 */
export function makeNetwork(hosts: Readonly<Record<string, string>> = {}): Network {
  const names = { near: `sw-near-${process.pid}`, far: `sw-far-${process.pid}` }
  const ip = (...words: string[]) => execFileSync('/usr/sbin/ip', words, { encoding: 'utf8' })
  const own = join('/etc/netns', names.near)
  mkdirSync(own, { recursive: true })
  const lines = Object.entries({ localhost: '127.0.0.1', ...hosts })
  writeFileSync(join(own, 'hosts'), lines.map(([name, address]) => `${address} ${name}\n`).join(''))
  for (const name of Object.values(names)) ip('netns', 'add', name)
  ip('link', 'add', 'cable', 'netns', names.near, 'type', 'veth', 'peer', 'name', 'cable', 'netns', names.far)
  for (const [where, { v4, v6 }] of [
    ['near', NEAR],
    ['far', FAR],
  ] as const) {
    const inside = ['-n', names[where]]
    ip(...inside, 'address', 'add', `${v4}/24`, 'dev', 'cable')
    ip(...inside, 'address', 'add', `${v6}/64`, 'dev', 'cable', 'nodad')
    for (const link of ['lo', 'cable']) ip(...inside, 'link', 'set', link, 'up')
  }
  ip('-n', names.near, 'route', 'add', 'default', 'via', FAR.v4)
  ip('-n', names.near, '-6', 'route', 'add', 'default', 'via', FAR.v6)
  const inside = (where: 'near' | 'far') => ['netns', 'exec', names[where]]
  return {
    far: names.far,
    run: (where, command) => ip(...inside(where), ...command),
    runScript(where, file, args) {
      const words = [...inside(where), process.execPath, file, ...args]
      return follow(spawn('/usr/sbin/ip', words, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }))
    },
    close() {
      for (const name of Object.values(names)) ip('netns', 'del', name)
      rmSync(own, { recursive: true, force: true })
    },
  }
}
