import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Returns the start time of a process as the system counts it, which tells it from a later process with the same id;
 * null when no such process runs. A zombie counts as gone: it holds no file and never runs again.
 */
export function startOfProcess(pid: number): string | null {
  if (process.platform === 'linux') return startFromProc(pid)
  return askPs(pid, 'lstart=')
}

/** proc(5): the name, field 2, is in parentheses and may hold anything; state is field 3, start time field 22. */
function startFromProc(pid: number): string | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return null
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  return `${fields[19]}`
}

/** Returns the command line of a process, joined by spaces; null when it cannot be read or the process is gone. */
export function commandOfProcess(pid: number): string | null {
  if (process.platform !== 'linux') return askPs(pid, 'args=')
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return null
  }
}

/** Returns the ids of the processes whose command line, joined by spaces, satisfies `matches`. */
export function findProcesses(matches: (command: string) => boolean): number[] {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.map(Number).filter((pid) => matches(commandOfProcess(pid) ?? ''))
  }
  const table = listProcesses()
  const rows = [...table.matchAll(/^ *(\d+) +(.*)$/gm)]
  return rows.filter(([, , command = '']) => matches(command)).map(([, pid]) => Number(pid))
}

/** Browsers make lines so long that all processes of a machine can have more than the megabyte of Node.js. */
const TABLE_BYTES_MAX = 64 * 1024 * 1024

/** Returns one line for each process; none if the system does not tell. */
function listProcesses(): string {
  try {
    // Without -ww, ps cuts its lines.
    const args = ['-A', '-ww', '-o', 'pid=,args=']
    return execFileSync('ps', args, { encoding: 'utf8', maxBuffer: TABLE_BYTES_MAX })
  } catch {
    return ''
  }
}

function askPs(pid: number, column: string): string | null {
  try {
    const answer = execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim()
    return answer === '' ? null : answer
  } catch {
    return null
  }
}

/**
 * Returns the scope in which a process id is unique: this boot of this machine and, where containers share a directory,
 * this PID namespace (pid_namespaces(7)). Processes of other scopes cannot be seen from here.
 */
export function placeOfProcesses(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}
