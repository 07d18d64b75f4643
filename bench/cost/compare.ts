import { computeMedian, formatNumber, formatTable } from '../support/report.ts'
import type { ThreadCpu } from './cpu.ts'
import { type PlainRun, type Server, withServer } from './measure.ts'
import { cpuUsOf } from './report.ts'

/** One version of the product, and its run of each round. */
export interface Build {
  name: string
  runs: readonly PlainRun[]
}

const GROUPS: readonly { name: string; has(thread: ThreadCpu): boolean }[] = [
  { name: 'main µs', has: ({ kind }) => kind === 'main thread' },
  { name: 'pool µs', has: ({ kind }) => kind === 'libuv-worker' },
  { name: 'V8 µs', has: ({ process, kind }) => process === 'Node' && kind.startsWith('V8') },
  { name: 'PostgreSQL µs', has: ({ process }) => process === 'PostgreSQL' },
]

/**
 * Measures checkouts of the product beside each other: all run at once, and get slices of `count` emails in turn, so that a
 * drift of the machine affects all alike. Every other round is in reverse order.
 */
export async function compareBuilds(
  directories: readonly string[],
  { count, rounds }: { count: number; rounds: number },
  report: (name: string, run: PlainRun) => void,
): Promise<Build[]> {
  const builds = directories.map((name) => ({ name, runs: [] as PlainRun[] }))
  const runAll = async (servers: readonly Server[]): Promise<void> => {
    const directory = directories[servers.length]
    if (directory !== undefined) {
      const options = { directory, emailsCount: count * rounds }
      return await withServer(options, (server) => runAll([...servers, server]))
    }
    const turns = builds.map((build, index) => ({ build, server: servers[index] as Server }))
    for (let round = 0; round < rounds; round++) {
      for (const { build, server } of round % 2 === 0 ? turns : turns.toReversed()) {
        const run = await server.through(count)
        report(build.name, run)
        build.runs.push(run)
      }
    }
  }
  await runAll([])
  return builds
}

/** Returns the table: medians, and the ratio to the first build within each round. */
export function formatBuilds(builds: readonly Build[]): string {
  const [first] = builds
  const head = [
    'build',
    'emails/s',
    'CPU µs',
    '× first (min to max)',
    ...GROUPS.map(({ name }) => name),
    'WAL KB',
  ]
  const rows = builds.map(({ name, runs }) => {
    const ratios = runs.map((run, round) => cpuUsOf(run) / cpuUsOf(first?.runs[round] as PlainRun))
    const range = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join(' to ')
    return [
      name,
      formatNumber(computeMedian(runs.map(({ count, seconds }) => count / seconds))),
      formatNumber(computeMedian(runs.map(cpuUsOf))),
      `${computeMedian(ratios).toFixed(3)} (${range})`,
      ...GROUPS.map(({ has }) => formatNumber(computeMedian(runs.map((run) => usOf(run, has))))),
      formatNumber(computeMedian(runs.map(({ walBytes, count }) => walBytes / count / 1024))),
    ]
  })
  return formatTable(head, rows)
}

/** The CPU time of some threads for each email, in microseconds. */
function usOf({ threads, count }: PlainRun, has: (thread: ThreadCpu) => boolean): number {
  return threads.filter(has).reduce((sum, { userUs, systemUs }) => sum + userUs + systemUs, 0) / count
}
