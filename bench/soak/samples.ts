import type pg from 'pg'
import { sumCpuSeconds } from '../support/meter.ts'
import { readProcessMemory } from '../support/process-memory.ts'
import type { Product } from '../support/product.ts'
import type { Sink } from '../support/sink.ts'
import type { Probe } from './probe.ts'
import { createReference } from './reference.ts'
import { readDatabase } from './samples-queries.ts'

/** The figures of one interval. */
export interface SoakSample {
  /** The number of the part of a run that was stopped and went on, from 1. */
  part: number
  /** Seconds since the start of the load, at the end of the interval. */
  atSeconds: number
  /** Emails that reached the sink since the start of the load. */
  emails: number
  rate: number
  cpuUs: number
  /** CPU time of the same work outside the server; absent in parts from before it was measured. */
  referenceMs?: number
  probeMs: number
  /** The 99th percentile of the delay of timers in the server. */
  loopDelayMs: number
  nodeMb: number
  postgresMb: number
  deadRows: number
  /** Growth in the interval, for each email that reached the sink. */
  tableBytesPerEmail: number
  indexBytesPerEmail: number
  walBytesPerEmail: number
  /** Rows that retention deleted, and partitions that it dropped, since the start of the load. */
  deletedRows: number
  droppedPartitions: number
}

interface Sources {
  product: Product
  client: pg.Client
  sink: Sink
  probe: Probe
  metricsToken: string
}

async function readTotals({ product, client, sink }: Sources) {
  return {
    at: performance.now(),
    emails: sink.count(),
    cpuSeconds: sumCpuSeconds(product.pids),
    ...(await readDatabase(client)),
  }
}

/** Reads a value of GET /metrics. The server starts a new histogram of its delays after each request. */
async function readMetric(
  { product, metricsToken }: Pick<Sources, 'product' | 'metricsToken'>,
  name: string,
) {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const reply = await fetch(`http://127.0.0.1:${product.port}/metrics`, { headers })
  const text = await reply.text()
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'gm'))].map((match) =>
    Number(match[1]),
  )
  return values.reduce((sum, value) => sum + value, 0)
}

/**
 * Returns a function that returns the figures since its last call.
 * @param earlier the last sample before this server started, if the run goes on
 */
export async function createSampler(
  sources: Sources,
  earlier: SoakSample | undefined,
): Promise<() => Promise<SoakSample>> {
  const measureReference = createReference()
  const start = await readTotals(sources)
  let before = start
  return async () => {
    const now = await readTotals(sources)
    const seconds = (now.at - before.at) / 1000
    const emails = Math.max(1, now.emails - before.emails)
    const grown = (key: 'tableBytes' | 'indexBytes' | 'walBytes') => (now[key] - before[key]) / emails
    const memory = readProcessMemory(sources.product.pid, sources.product.pids)
    const sample: SoakSample = {
      part: 1 + (earlier?.part ?? 0),
      atSeconds: (earlier?.atSeconds ?? 0) + (now.at - start.at) / 1000,
      emails: (earlier?.emails ?? 0) + now.emails - start.emails,
      rate: emails / seconds,
      cpuUs: (1_000_000 * (now.cpuSeconds - before.cpuSeconds)) / emails,
      referenceMs: measureReference(),
      probeMs: sources.probe.takeMedianMs(),
      loopDelayMs: 1000 * (await readMetric(sources, 'sendwright_nodejs_eventloop_lag_p99_seconds')),
      nodeMb: [...memory.node.values()].reduce((sum, one) => sum + one, 0),
      postgresMb: memory.postgresMb,
      deadRows: now.deadRows,
      tableBytesPerEmail: grown('tableBytes'),
      indexBytesPerEmail: grown('indexBytes'),
      walBytesPerEmail: grown('walBytes'),
      deletedRows:
        (earlier?.deletedRows ?? 0) + (await readMetric(sources, 'sendwright_retention_deleted_rows_total')),
      droppedPartitions:
        (earlier?.droppedPartitions ?? 0) +
        (await readMetric(sources, 'sendwright_retention_dropped_partitions_total')),
    }
    before = now
    return sample
  }
}
