import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
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

const AGGREGATION =
  /\b(?<name>sum|min|max|avg|group|stddev|stdvar|count|count_values|bottomk|topk|quantile)\s*(?:by\s*\((?<by>[^)]*)\)\s*)?\((?!\))/g

/** Returns the aggregations of an expression, each with its labels and what it aggregates. */
function aggregationsIn(expression: string) {
  return [...expression.matchAll(AGGREGATION)].map(({ 0: { length }, index, groups }) => {
    const begin = index + length
    let end = begin
    for (let depth = 1; depth > 0 && end < expression.length; end++) {
      if (expression[end] === '(') depth++
      if (expression[end] === ')') depth--
    }
    const labels = (groups?.by ?? '').split(',').map((label) => label.trim())
    return { name: groups?.name ?? '', labels, operand: expression.slice(begin, end - 1) }
  })
}

const lacksCell = ({ labels }: { labels: readonly string[] }) => !labels.includes('cell')

/** Returns the parts of an alert's expression that join or merge the series of several cells, or that have no series. */
const mergedIn = (expression: string) => [
  ...aggregationsIn(expression).filter(lacksCell),
  // A process belongs to one cell.
  ...[...expression.matchAll(/\b(?:on|ignoring)\s*\(([^)]*)\)/g)].filter(
    ([text, labels = '']) => text.startsWith('ignoring') || !/\b(?:cell|instance)\b/.test(labels),
  ),
  ...(expression.match(/\bwithout\s*\(/g) ?? []),
  // While one cell reports, nothing is absent.
  ...(expression.match(/^\s*absent\b/g) ?? []),
]

/**
 * Returns the aggregations that show one cell in place of several. Every process reports the metrics of its whole cell, so
 * a panel takes the maximum in each cell and the sum of the cells. Counters are added. For ages, the maximum of all is
 * correct.
 */
const hiddenIn = (expression: string) =>
  aggregationsIn(expression).filter(
    (one) =>
      lacksCell(one) &&
      one.name !== 'sum' &&
      aggregationsIn(one.operand).length === 0 &&
      !(one.name === 'max' && /^sendwright_\w+_seconds\{/.test(one.operand)),
  )

test('every alert says which cell it is about', () => {
  const { groups } = parse(readFileSync(join(ROOT, 'ops/prometheus-alerts.yml'), 'utf8')) as {
    groups: { rules: { alert: string; expr: string; annotations: { description: string } }[] }[]
  }
  const rules = groups.flatMap(({ rules }) => rules)
  expect(rules.length).toBeGreaterThan(10)
  for (const { alert, expr, annotations } of rules) {
    expect(mergedIn(expr), alert).toEqual([])
    expect(annotations.description, alert).toMatch(
      /^\{\{ with \$labels\.cell \}\}Cell \{\{ \. \}\}: \{\{ end \}\}/,
    )
  }
})

test('no panel of the dashboard shows one cell in place of several', () => {
  const { panels } = JSON.parse(readFileSync(join(ROOT, 'ops/grafana-dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[]
  }
  const targets = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })))
  expect(targets.length).toBeGreaterThan(20)
  for (const { title, expr, legendFormat } of targets) {
    expect(hiddenIn(expr), title).toEqual([])
    for (const selector of expr.match(/\bsendwright_\w+(?:\{[^}]*\})?/g) ?? [])
      expect(selector, title).toContain('cell=~"$cell"')
    // Series of several cells have different names.
    if (expr.startsWith('max by')) expect(legendFormat, title).toContain('{{cell}}')
  }
})

test.each([
  'max(sendwright_site_paused)',
  'max by (site) (sendwright_site_paused) > 0',
  'sum by (cell) (max by (class) (sendwright_queue_deliveries))',
  'histogram_quantile(0.99, sum by (le, pool) (rate(sendwright_db_commit_seconds_bucket[5m])))',
  'sum without (instance) (sendwright_sites)',
  'sendwright_team_bounce_ratio and on (team) sendwright_team_recipients > 200',
  'sendwright_team_bounce_ratio and ignoring (cell) sendwright_team_recipients',
  'absent(sendwright_queue_oldest_ready_seconds)',
])('an alert would lose its cell: %s', (expression) => expect(mergedIn(expression)).not.toEqual([]))

test.each([
  'sum(max by (class) (sendwright_queue_deliveries{state="ready"}))',
  'count(max by (site) (sendwright_site_paused) > 0) or vector(0)',
  'max by (kind) (sendwright_webhook_backlog)',
])('a panel would hide a cell: %s', (expression) => expect(hiddenIn(expression)).not.toEqual([]))

test('metrics for the queue, commits and pools are exported', async () => {
  expect(text).toMatch(/sendwright_queue_deliveries\{class="bulk",state="ready"\} 0/)
  expect(text).toMatch(/sendwright_db_commit_seconds_count\{pool="api"\} [1-9]/)
  expect(text).toMatch(/sendwright_db_connections\{pool="engine",state="waiting"\} 0/)
  expect(text).toMatch(/sendwright_webhook_backlog\{kind="untold"\} 0/)
})
