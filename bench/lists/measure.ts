import type { Call } from '../support/caller.ts'
import { pickPercentile } from '../support/report.ts'
import type { Case } from './cases.ts'

export interface Measurement {
  what: string
  fits: string
  targetMs: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  attempts: number
  /** The error message if there are no figures; otherwise null. */
  failure: string | null
}

const WARM_UP_COUNT = 20
const DEEP_PAGE = 1000

interface Page {
  data: { id: string }[]
}

async function deepPageQuery(call: Call, { deep, request }: Case): Promise<string> {
  if (deep === undefined) return ''
  if (deep === 'number') return `&page=${DEEP_PAGE}`
  const path = deep === 'contact' ? '/contacts?' : request(0).path
  const before = await call<Page>({ method: 'GET', path: `${path}&page=${DEEP_PAGE - 1}` })
  const last = before.data.at(-1)
  if (last === undefined) return ''
  return `&page=${DEEP_PAGE}&after=${last.id}`
}

/** Sends requests one after another, and returns their durations up to the last byte, in milliseconds, sorted. */
async function timeRequests(call: Call, each: Case, count: number): Promise<number[]> {
  const deepPage = await deepPageQuery(call, each)
  const waits: number[] = []
  for (let number = 0; number < WARM_UP_COUNT + count; number++) {
    const request = each.request(number)
    const startedAt = performance.now()
    await call({ ...request, path: request.path + deepPage })
    if (number >= WARM_UP_COUNT) waits.push(performance.now() - startedAt)
  }
  return waits.sort((a, b) => a - b)
}

/**
 * Other programs on the machine delay some requests: a row that misses its target is measured again, and the
 * best attempt counts.
 */
const ATTEMPTS_MAX = 3

/** Measures one case. A request that fails leaves a gap in the table, so that the other rows are not lost. */
export async function measureCase(call: Call, each: Case, count: number): Promise<Measurement> {
  const page = {
    key: `, page ${DEEP_PAGE} by key`,
    number: `, page ${DEEP_PAGE} by number`,
    contact: ', behind 25,000 contacts',
  }
  const what = each.what + (each.deep === undefined ? '' : page[each.deep])
  const about = { what, fits: each.fits, targetMs: each.targetMs }
  let best = { ...about, ...(await measureAttempt(call, each, count, 1)), attempts: 1 }
  while (!(best.p99Ms <= each.targetMs) && best.attempts < ATTEMPTS_MAX) {
    const attempts = best.attempts + 1
    const again = { ...about, ...(await measureAttempt(call, each, count, attempts)), attempts }
    best = best.failure === null && !(again.p99Ms < best.p99Ms) ? { ...best, attempts } : again
  }
  return best
}

async function measureAttempt(
  call: Call,
  each: Case,
  count: number,
  attempts: number,
): Promise<Pick<Measurement, 'p50Ms' | 'p99Ms' | 'maxMs' | 'failure'>> {
  const before = (attempts - 1) * (WARM_UP_COUNT + count)
  const shifted = { ...each, request: (number: number) => each.request(before + number) }
  try {
    const waits = await timeRequests(call, shifted, count)
    const [p50Ms, p99Ms] = [pickPercentile(waits, 0.5), pickPercentile(waits, 0.99)]
    return { p50Ms, p99Ms, maxMs: waits.at(-1) ?? Number.NaN, failure: null }
  } catch (error) {
    const none = { p50Ms: Number.NaN, p99Ms: Number.NaN, maxMs: Number.NaN }
    return { ...none, failure: (error as Error).message }
  }
}
