import type { Sample } from './figure.ts'
import { startMeter } from './meter.ts'
import { RUN_LIMIT_MS, WARM_UP_COUNT } from './names.ts'
import type { Sink } from './sink.ts'

/** Warms up, then measures from the first request until the last message reaches the sink. */
export async function measureThrough(
  sink: Sink,
  pids: number[],
  count: number,
  send: (count: number) => Promise<unknown>,
): Promise<Sample> {
  await send(WARM_UP_COUNT)
  await sink.waitFor(WARM_UP_COUNT, RUN_LIMIT_MS)
  const meter = startMeter(pids)
  const startedAt = performance.now()
  await Promise.all([send(count), sink.waitFor(WARM_UP_COUNT + count, RUN_LIMIT_MS)])
  const seconds = (performance.now() - startedAt) / 1000
  return { values: { rate: count / seconds }, count, cost: meter.stop() }
}
