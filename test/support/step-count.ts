import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'

/** Compilers that leave steps uncounted. */
const COMPILERS = ['opt', 'maglev']

/**
 * Returns how many functions, loop rounds and branches run during `work`, as V8 counts them. The count is the same on
 * each run and machine. What native functions do inside is not counted.
 * @param files parts of the names of the scripts that count
 */
export async function countSteps(work: () => unknown, files: readonly string[]): Promise<number> {
  const session = new Session()
  session.connect()
  for (const compiler of COMPILERS) setFlagsFromString(`--no-${compiler}`)
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const scripts = result.filter(({ url }) => files.some((file) => url.includes(file)))
    const ranges = scripts.flatMap(({ functions }) => functions.flatMap((one) => one.ranges))
    return ranges.reduce((sum, { count }) => sum + count, 0)
  } finally {
    for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}`)
    session.disconnect()
  }
}
