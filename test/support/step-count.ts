import { execFile } from 'node:child_process'
import { Session } from 'node:inspector/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A function of a module, and the scripts whose steps count: parts of their names. */
export interface Counted {
  module: string
  name: string
  scripts: readonly string[]
}

/**
 * Returns how many functions, loop rounds and branches run while a function handles each input, as V8 counts them. Inputs are
 * values of JSON. The counts are the same on each run and machine. What native functions do inside is not counted. A process of its own counts, because V8
 * reports all modules that a process has loaded, and compilers leave steps uncounted.
 */
export async function countSteps(counted: Counted, inputs: readonly unknown[]): Promise<number[]> {
  const flags = ['--no-opt', '--no-maglev', '--disable-warning=ExperimentalWarning']
  const counting = run(process.execPath, [...flags, import.meta.filename], { maxBuffer: 2 ** 26 })
  counting.child.stdin?.end(JSON.stringify({ counted, inputs }))
  return JSON.parse((await counting).stdout)
}

async function countInThisProcess(
  { module, name, scripts }: Counted,
  inputs: readonly unknown[],
): Promise<number[]> {
  const { [name]: work } = (await import(module)) as Record<string, (input: unknown) => unknown>
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  const counts: number[] = []
  for (const input of inputs) {
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    work?.(input)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const found = result.filter(({ url }) => scripts.some((script) => url.includes(script)))
    const ranges = found.flatMap(({ functions }) => functions.flatMap((one) => one.ranges))
    counts.push(ranges.reduce((sum, { count }) => sum + count, 0))
  }
  return counts
}

if (import.meta.main) {
  const texts: string[] = []
  for await (const text of process.stdin.setEncoding('utf8')) texts.push(text)
  const { counted, inputs } = JSON.parse(texts.join('')) as { counted: Counted; inputs: unknown[] }
  process.stdout.write(JSON.stringify(await countInThisProcess(counted, inputs)))
}
