import { setImmediate as nextTurn } from 'node:timers/promises'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { trimMemory } from '../trim-memory.ts'
import type { MetricValues } from '../worker-messages.ts'
import type { WorkerProcess } from './launch-worker.ts'
import { MergedMetrics } from './merged-metrics.ts'

function givenProcess() {
  const registers = [new Registry()]
  const fields = { help: 'A metric.', registers }
  return {
    registry: registers[0] as Registry,
    sent: new Counter({ ...fields, name: 'sent_total', labelNames: ['kind'] }),
    held: new Gauge({ ...fields, name: 'held' }),
    sites: new Gauge({ ...fields, name: 'sites', aggregator: 'max' }),
    seconds: new Histogram({ ...fields, name: 'seconds', buckets: [1] }),
  }
}

/** A worker that answers with the metrics of `registry`; null: it does not answer. */
function givenWorker(nodeId: string, registry: Registry | null, merged: () => MergedMetrics): WorkerProcess {
  return {
    number: 1,
    nodeId,
    pid: 1,
    started: Promise.resolve(null),
    ended: new Promise(() => {}),
    send(message) {
      if (message.kind !== 'collect' || registry === null) return
      void registry.getMetricsAsJSON().then((values) => merged().receive(message.request, values))
    },
    kill() {},
  }
}

const valuesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

test('counts and gauges are added, except those that name another way', async () => {
  const [one, two, own] = [givenProcess(), givenProcess(), new Registry()]
  new Gauge({ name: 'queue', help: 'Only of the supervisor.', registers: [own] }).set(7)
  for (const [index, { sent, held, sites, seconds }] of [one, two].entries()) {
    sent.inc({ kind: 'a' }, index + 1)
    held.set(10 * (index + 1))
    sites.set(index + 3)
    seconds.observe(0.5)
  }
  const workers = [one, two].map(({ registry }, index) => givenWorker(`${index}`, registry, () => merged))
  const merged: MergedMetrics = new MergedMetrics(own, () => workers)
  expect(valuesOf(await merged.metrics())).toEqual([
    'queue 7',
    'sent_total{kind="a"} 3',
    'held 30',
    'sites 4',
    'seconds_bucket{le="1"} 2',
    'seconds_bucket{le="+Inf"} 2',
    'seconds_sum 1',
    'seconds_count 2',
  ])
})

test('a worker that ends before it answers is not waited for', async () => {
  const workers = [givenWorker('gone', null, () => merged)]
  const merged: MergedMetrics = new MergedMetrics(new Registry(), () => workers, 600_000)
  const text = merged.metrics()
  await Promise.resolve()
  merged.leave('gone')
  expect(valuesOf(await text)).toEqual([])
})

test('of a worker that lives on, only the values of the last scrape are kept', async () => {
  const answers: WeakRef<MetricValues>[] = []
  const worker: WorkerProcess = {
    ...givenWorker('one', null, () => merged),
    send(message) {
      if (message.kind !== 'collect') return
      const values: MetricValues = []
      answers.push(new WeakRef(values))
      merged.receive(message.request, values)
    },
  }
  const merged: MergedMetrics = new MergedMetrics(new Registry(), () => [worker])
  for (let scrape = 0; scrape < 20; scrape++) await merged.metrics()
  // Until the turn ends, V8 keeps what weak references were made to.
  await nextTurn()
  trimMemory()
  expect(answers.map((answer) => answer.deref() !== undefined)).toEqual([...Array(19).fill(false), true])
  // The worker and the metrics are in use up to here.
  expect(valuesOf(await merged.metrics())).toEqual([])
})

test('the counts of workers that ended stay, and their gauges do not', async () => {
  const [gone, next] = [givenProcess(), givenProcess()]
  gone.sent.inc({ kind: 'a' }, 5)
  gone.held.set(9)
  gone.seconds.observe(2)
  next.sent.inc({ kind: 'a' }, 1)
  let workers = [givenWorker('gone', gone.registry, () => merged)]
  const merged: MergedMetrics = new MergedMetrics(new Registry(), () => workers)
  await merged.metrics()
  workers = [givenWorker('next', next.registry, () => merged)]
  merged.leave('gone')
  merged.leave('never collected')
  const values = valuesOf(await merged.metrics())
  expect(values).toContain('sent_total{kind="a"} 6')
  expect(values).toContain('held 0')
  expect(values).toContain('seconds_count 1')
  expect(valuesOf(await merged.metrics())).toEqual(values)
})

test('a worker that does not answer in time is shown with its last values', async () => {
  const { registry, sent } = givenProcess()
  sent.inc({ kind: 'a' }, 5)
  let workers = [givenWorker('busy', registry, () => merged)]
  const merged: MergedMetrics = new MergedMetrics(new Registry(), () => workers, 20)
  await merged.metrics()
  workers = [givenWorker('busy', null, () => merged)]
  expect(valuesOf(await merged.metrics())).toContain('sent_total{kind="a"} 5')
})
