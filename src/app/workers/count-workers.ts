import type { ProcessRole } from '../types.ts'

/** The resources of the machine, or of the container that limits this process. */
export interface Machine {
  processors: number
  memoryBytes: number
}

/**
 * Processors for each worker by default. PostgreSQL takes about a quarter of the CPU time that the workers take
 * (docs/operations.md, "Workers").
 */
const PROCESSORS_PER_WORKER = 4 / 3
/** On fewer processors, one process does as much work as two workers. */
const PROCESSORS_MIN = 3
/** More workers have not been measured. */
const AUTO_MAX = 16
/** A worker stays below this even while it processes the largest requests (docs/operations.md, "Memory"). */
const MEMORY_PER_WORKER = 1024 ** 3

/**
 * Returns the number of workers. 1 means that this process does the work itself, without a supervisor. `auto` is
 * decided here and nowhere else.
 */
export function countWorkers(
  setting: number | 'auto',
  roles: readonly ProcessRole[],
  { processors, memoryBytes }: Machine,
): number {
  // The scheduler runs in one worker only.
  if (roles.every((role) => role === 'scheduler')) return 1
  if (setting !== 'auto') return setting
  if (processors < PROCESSORS_MIN) return 1
  const byProcessors = Math.floor(processors / PROCESSORS_PER_WORKER)
  // One share of the memory is for PostgreSQL, the supervisor and the system.
  const byMemory = Math.floor(memoryBytes / MEMORY_PER_WORKER) - 1
  return Math.max(1, Math.min(byProcessors, byMemory, AUTO_MAX))
}
