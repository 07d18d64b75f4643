import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { findNode } from './ensure-installed.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. Within this time, both count as one signal. */
const SAME_SIGNAL_MS = 500
const PARENT_POLL_MS = 100

/**
 * Runs Node.js 24 in place of this process: with the same terminal, and it receives the same signals. Resolves with its exit
 * code, or with 128 plus the number of the signal that ended it.
 */
export function runNode(args, options = {}) {
  return endOf(startNode(args, { stdio: 'inherit', ...options }))
}

/** Starts Node.js 24, which receives the signals of this process. */
export function startNode(args, options) {
  const child = spawn(findNode() ?? 'node', args, options)
  forwardSignals(child)
  return child
}

/** Resolves as `runNode`, once the output of the process has arrived. */
export function endOf(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`Cannot run ${child.spawnfile} (${error.code}).`)
      resolve(1)
    })
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}

function forwardSignals(child) {
  const lastMs = {}
  for (const signal of SIGNALS) {
    const forward = () => {
      const nowMs = performance.now()
      if (nowMs - (lastMs[signal] ?? Number.NEGATIVE_INFINITY) > SAME_SIGNAL_MS) child.kill(signal)
      lastMs[signal] = nowMs
    }
    process.on(signal, forward)
    child.once('close', () => process.off(signal, forward))
  }
  // If SIGKILL ends npm, no signal arrives here. Exit, so that the server does not run on unseen.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined) return
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1)
  }, PARENT_POLL_MS).unref()
}
