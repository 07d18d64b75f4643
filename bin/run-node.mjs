import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { node, root } from './ensure-installed.mjs'
import { NODE_ENVIRONMENT, NODE_FLAGS } from './node-flags.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Ctrl-C under npm arrives twice, from the terminal and from npm: within this time it is one. */
const SAME_SIGNAL_MS = 500
const PARENT_POLL_MS = 100

/**
 * Runs Node 24 with these arguments as if it had been started in our place: same terminal, same signals, same exit
 * code. Resolves with that code.
 */
export function runNode(args, options = {}) {
  const child = spawn(node, args, { stdio: 'inherit', ...options })
  forwardSignals(child)
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${node} cannot be run (${error.code}).`)
      resolve(1)
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}

/** The command line of Sendwright itself, with the settings of the file .env where there is one. */
export function runSendwright(args) {
  const file = join(root, '.env')
  const settings = existsSync(file) ? [`--env-file=${file}`] : []
  return runNode([...NODE_FLAGS, ...settings, join(root, 'src', 'main.ts'), ...args], {
    env: { ...NODE_ENVIRONMENT, ...process.env },
    // The fourth is a channel that closes when this process is killed: the server is never left running unseen.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
}

function forwardSignals(child) {
  const lastMs = {}
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const nowMs = performance.now()
      if (nowMs - (lastMs[signal] ?? Number.NEGATIVE_INFINITY) > SAME_SIGNAL_MS) child.kill(signal)
      lastMs[signal] = nowMs
    })
  }
  // npm killed with SIGKILL can tell nobody: what it started must not run on unseen.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined) return
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1)
  }, PARENT_POLL_MS).unref()
}
