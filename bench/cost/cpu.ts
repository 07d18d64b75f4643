import { readdirSync } from 'node:fs'
import { listTree, readText, TICKS_PER_SECOND } from '../support/meter.ts'

const TICK_US = 1_000_000 / TICKS_PER_SECOND

/** CPU time of the threads of one kind, in microseconds. */
export interface ThreadCpu {
  process: 'Node' | 'PostgreSQL'
  kind: string
  userUs: number
  systemUs: number
}

/** CPU time by thread id, since the thread started. */
type Threads = Map<string, ThreadCpu>

/** The names in the titles of PostgreSQL's processes; the others serve a connection. */
const POSTGRES_TITLES =
  /^postgres: (checkpointer|background writer|walwriter|autovacuum launcher|autovacuum worker|io worker|logical replication launcher)/

/**
 * Starts to count the CPU time of a server by thread. `roots` are the ids of its Node process and of its postmaster.
 * Returns a function that ends it. Linux counts in steps of 10 ms for each thread.
 */
export function startThreadCpu(roots: { node: number; postmaster: number }): () => ThreadCpu[] {
  const before = readThreads(roots)
  return () => diffThreads(before, readThreads(roots))
}

/** Sums the CPU time between two readings by process and kind. The largest comes first. */
export function diffThreads(before: Threads, after: Threads): ThreadCpu[] {
  const sums = new Map<string, ThreadCpu>()
  for (const [id, thread] of after) {
    const { process, kind } = thread
    const sum = sums.get(`${process} ${kind}`) ?? { process, kind, userUs: 0, systemUs: 0 }
    sum.userUs += thread.userUs - (before.get(id)?.userUs ?? 0)
    sum.systemUs += thread.systemUs - (before.get(id)?.systemUs ?? 0)
    sums.set(`${process} ${kind}`, sum)
  }
  return [...sums.values()]
    .filter(({ userUs, systemUs }) => userUs + systemUs > 0)
    .sort((a, b) => a.process.localeCompare(b.process) || b.userUs + b.systemUs - a.userUs - a.systemUs)
}

function readThreads({ node, postmaster }: { node: number; postmaster: number }): Threads {
  const threads: Threads = new Map()
  const database = listTree([postmaster]).map(({ pid }) => pid)
  for (const pid of database) {
    addThread(threads, `${pid}`, `/proc/${pid}/stat`, 'PostgreSQL', titleOf(pid))
    if (pid === postmaster) addWaitedFor(threads, pid)
  }
  for (const { pid } of listTree([node]).filter((stat) => !database.includes(stat.pid))) {
    for (const task of listTasks(pid)) {
      const path = `/proc/${pid}/task/${task}`
      const name = readText(`${path}/comm`)?.trim() ?? ''
      addThread(threads, `${pid}/${task}`, `${path}/stat`, 'Node', task === `${pid}` ? 'main thread' : name)
    }
  }
  return threads
}

function listTasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    // The process has exited since it was listed.
    return []
  }
}

function titleOf(pid: number): string {
  const title = readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''
  if (!title.startsWith('postgres: ')) return 'postmaster'
  return POSTGRES_TITLES.exec(title)?.[1] ?? 'connections'
}

function addThread(
  threads: Threads,
  id: string,
  path: string,
  process: ThreadCpu['process'],
  kind: string,
): void {
  const fields = fieldsOf(path)
  if (fields === null) return
  const [userUs = 0, systemUs = 0] = fields.slice(11, 13).map((ticks) => Number(ticks) * TICK_US)
  threads.set(id, { process, kind, userUs, systemUs })
}

/** The postmaster waits for its children: connections that ended, and autovacuum workers. */
function addWaitedFor(threads: Threads, postmaster: number): void {
  const [userUs = 0, systemUs = 0] =
    fieldsOf(`/proc/${postmaster}/stat`)
      ?.slice(13, 15)
      .map((ticks) => Number(ticks) * TICK_US) ?? []
  threads.set('waited for', { process: 'PostgreSQL', kind: 'ended processes', userUs, systemUs })
}

/** The fields of proc_pid_stat(5) from the third on: the name in parentheses may contain spaces. */
function fieldsOf(path: string): string[] | null {
  const text = readText(path)
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ')
}
