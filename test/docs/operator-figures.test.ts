import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const TOKEN = 'a-token-for-prometheus'
let service: TestSendwright
let text: string

beforeAll(async () => {
  service = await startTestSendwright({
    environment: {
      SENDWRIGHT_METRICS_TOKEN: TOKEN,
      SENDWRIGHT_INBOUND_PORT: '0',
      // Metrics of this store exist only with it. Nothing is old enough to be moved there.
      SENDWRIGHT_BODIES: 'file:///nowhere',
    },
    roles: ['api', 'deliver', 'inbound', 'webhooks', 'scheduler'],
  })
  const ann = await service.givenSender()
  await ann.settled(await ann.send({ to: `a@${service.givenDestination()}` }))
  text = await metrics()
})
afterAll(() => service.stop())

async function metrics(): Promise<string> {
  const reply = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  return reply.text()
}

/** Returns the metric names in a file for Prometheus or Grafana, without the suffixes of histograms. */
const namesIn = (file: string) =>
  new Set(
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/sendwright_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(?:bucket|count)$/, ''),
    ),
  )

for (const file of ['ops/prometheus-alerts.yml', 'ops/grafana-dashboard.json', 'docs/operations.md']) {
  test(`every metric in ${file} is exported by a process`, () => {
    const given = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    expect([...namesIn(file)].filter((name) => !given.has(name))).toEqual([])
  })
}

test('every metric is in the guide for operators', () => {
  const own = [...text.matchAll(/^# TYPE (sendwright_\S+)/gm)].map(([, name]) => name as string)
  const documented = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8')
  expect(
    own.filter((name) => !/^sendwright_(process|nodejs)_/.test(name) && !documented.includes(name)),
  ).toEqual([])
})

test('the dashboard is valid for Grafana: panels have unique ids and do not overlap', () => {
  const { panels } = JSON.parse(readFileSync(join(ROOT, 'ops/grafana-dashboard.json'), 'utf8')) as {
    panels: { id: number; gridPos: { x: number; y: number; w: number; h: number } }[]
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
})

test('metrics for the queue, commits and pools are exported', async () => {
  expect(text).toMatch(/sendwright_queue_deliveries\{class="bulk",state="ready"\} 0/)
  expect(text).toMatch(/sendwright_db_commit_seconds_count\{pool="api"\} [1-9]/)
  expect(text).toMatch(/sendwright_db_connections\{pool="engine",state="waiting"\} 0/)
  expect(text).toMatch(/sendwright_webhook_backlog\{kind="untold"\} 0/)
})
