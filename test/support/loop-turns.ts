import { setImmediate as nextTurn } from 'node:timers/promises'

/** Returns how often the event loop turned until the work was settled: once, if the work held it. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  void work().then(settle, settle)
  let count = 0
  while (!isSettled) {
    await nextTurn()
    count++
  }
  return count
}
