import { listTree, readMemoryMb, readPssMb, readText } from './meter.ts'

/** The memory of the processes of a server in MB, by what they are. */
export interface ProcessMemory {
  /**
   * The processes of Node: `server` if there is one, otherwise `supervisor`, `worker 1` and so on. This is all that each has
   * in memory (RSS), because the benchmark runs the same program and would take a part of the shared pages.
   */
  node: Map<string, number>
  /** With shared pages counted once (PSS). */
  postgresMb: number
  totalMb: number
}

/** @param root the id of the Node process that was started; @param pids the roots of all processes */
export function readProcessMemory(root: number, pids: readonly number[]): ProcessMemory {
  const memory: ProcessMemory = { node: new Map(), postgresMb: 0, totalMb: 0 }
  const all = listTree(pids).sort((a, b) => a.pid - b.pid)
  const isPostgres = (pid: number) => /postgres/.test(readText(`/proc/${pid}/cmdline`) ?? '')
  const workers = all.filter(({ pid }) => pid !== root && !isPostgres(pid))
  for (const { pid } of all) {
    const megabytes = isPostgres(pid) ? readPssMb(pid) : readMemoryMb(pid, 'VmRSS')
    memory.totalMb += megabytes
    const worker = workers.findIndex((one) => one.pid === pid)
    if (worker >= 0) memory.node.set(`worker ${worker + 1}`, megabytes)
    else if (pid === root) memory.node.set(workers.length > 0 ? 'supervisor' : 'server', megabytes)
    else memory.postgresMb += megabytes
  }
  return memory
}
