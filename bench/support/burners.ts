import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { NODE, startChild, stopChild } from './children.ts'
import { startMeter } from './meter.ts'

const PROGRAM = join(import.meta.dirname, 'burner.ts')

/** Takes half of each processor. Returns a function that ends this and returns the share that was really taken. */
export function startBurners(): () => Promise<number> {
  const processors = Array.from({ length: availableParallelism() }, (_, index) => index)
  const children = processors.map((index) => startChild('taskset', ['-c', `${index}`, NODE, PROGRAM]))
  const meter = startMeter(
    children.map(({ pid }) => pid ?? 0),
    { memory: false },
  )
  const startedAt = performance.now()
  return async () => {
    const { cpuSeconds } = meter.stop()
    const seconds = (performance.now() - startedAt) / 1000
    await Promise.all(children.map(stopChild))
    return cpuSeconds / seconds / processors.length
  }
}
