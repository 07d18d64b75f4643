import { readdirSync, readFileSync } from 'node:fs'

/** The resources that a run used. */
export interface Cost {
  cpuSeconds: number
  /** The peak total of the process tree, with shared pages counted once (PSS). */
  peakMb: number
  /** The share of the machine's CPU time that the hypervisor gave to other guests. */
  stolenPercent: number
}

export interface Meter {
  stop(): Cost
}

/** USER_HZ is 100 on every Linux that Node runs on: proc(5) counts CPU time in it. */
export const TICKS_PER_SECOND = 100
const SAMPLE_INTERVAL_MS = 500

export interface ProcessStat {
  pid: number
  parent: number
  /** CPU time of the process and of the children that it has waited for. */
  ticks: number
}

/** Returns the text of a file of /proc, or null if its process has exited. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has exited since it was listed.
    return null
  }
}

function readStat(pid: number): ProcessStat | null {
  const text = readText(`/proc/${pid}/stat`)
  if (text === null) return null
  // The name in parentheses may itself contain spaces and parentheses (proc(5)): split after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { pid, parent: Number(fields[1]), ticks }
}

/** Returns the given processes and all their descendants. */
export function listTree(roots: readonly number[]): ProcessStat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat !== null)
  const children = Map.groupBy(all, (stat) => stat.parent)
  const found = new Map(all.filter((stat) => roots.includes(stat.pid)).map((stat) => [stat.pid, stat]))
  // Iterating a Map includes entries added during the iteration, so this visits the whole tree.
  for (const pid of found.keys()) {
    for (const child of children.get(pid) ?? []) found.set(child.pid, child)
  }
  return [...found.values()]
}

export function sumCpuSeconds(roots: readonly number[]): number {
  return listTree(roots).reduce((sum, stat) => sum + stat.ticks, 0) / TICKS_PER_SECOND
}

function sumMemoryMb(roots: readonly number[]): number {
  return listTree(roots).reduce((sum, { pid }) => sum + readPssMb(pid), 0)
}

/** Returns the memory of one process, with its part of the pages that it shares. */
export function readPssMb(pid: number): number {
  const match = /^Pss:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? '')
  return Number(match?.[1] ?? 0) / 1024
}

function readMachineTicks(): { total: number; stolen: number } {
  const fields =
    (readText('/proc/stat') ?? '').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? []
  return { total: fields.reduce((sum, ticks) => sum + ticks, 0), stolen: fields[7] ?? 0 }
}

/**
 * Starts measuring process trees. CPU time of processes that exit meanwhile is included, because their parents
 * wait for them. With `memory: false`, memory is not sampled, for runs that sampling would disturb.
 */
export function startMeter(roots: readonly number[], { memory = true } = {}): Meter {
  const cpuBefore = sumCpuSeconds(roots)
  const machineBefore = readMachineTicks()
  let peakMb = sumMemoryMb(roots)
  const sample = () => {
    peakMb = Math.max(peakMb, sumMemoryMb(roots))
  }
  const timer = memory ? setInterval(sample, SAMPLE_INTERVAL_MS) : undefined
  return {
    stop() {
      clearInterval(timer)
      const cpuSeconds = sumCpuSeconds(roots) - cpuBefore
      const machine = readMachineTicks()
      sample()
      const total = Math.max(1, machine.total - machineBefore.total)
      return { cpuSeconds, peakMb, stolenPercent: (100 * (machine.stolen - machineBefore.stolen)) / total }
    },
  }
}

/** Reads a value of /proc/<pid>/status in MB: VmRSS is the current memory, VmHWM its peak. */
export function readMemoryMb(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const match = new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(readText(`/proc/${pid}/status`) ?? '')
  return Number(match?.[1] ?? 0) / 1024
}
