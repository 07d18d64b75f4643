import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { REPOSITORY, runChild } from '../../bench/support/children.ts'
import { installPromtool } from './support/promtool.ts'

const promtool = await installPromtool()
if ('absent' in promtool) process.stderr.write(`${promtool.absent}\n`)
afterAll(() => ('absent' in promtool ? undefined : promtool.remove()))

const RULES = join(REPOSITORY, 'ops', 'prometheus-alerts.yml')

/** The values of a series each minute: for 100 minutes, or until it stops after half an hour. */
const STEADY = '1+0x100'
const STOPS = '1+0x30 stale _x60'
/** A value below and above each threshold of a gauge, from the half hour on. */
const RISES = '0+0x30 100000+0x70'
/** A counter that grows from the half hour on. */
const GROWS = '0+0x30 600+600x70'

type Series = Record<string, string>
const series = (name: string, labels: Series, values: string) => ({
  series: `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`,
  values,
})

/** What a process of a cell reports, scraped at an address of its own. Without a name, it has no cell. */
function processOf(cell: string | null, { up = STEADY, own = STEADY, queue = STEADY } = {}) {
  const scraped = { job: 'sendwright', instance: `${cell ?? 'alone'}:9090` }
  const labels: Series = cell === null ? scraped : { ...scraped, cell }
  return [
    series('up', scraped, up),
    series('sendwright_process_resident_memory_bytes', labels, own),
    series('sendwright_queue_oldest_ready_seconds', { ...labels, class: 'transactional' }, queue),
  ]
}

/** What makes each rule about mail and requests fire. */
function troubleOf(cell: string) {
  const labels = { job: 'sendwright', instance: `${cell}:9090`, cell }
  return [
    series('sendwright_queue_oldest_ready_seconds', { ...labels, class: 'transactional' }, RISES),
    series('sendwright_queue_deliveries', { ...labels, class: 'bulk', state: 'delayed' }, RISES),
    series('sendwright_site_paused', { ...labels, site: 'mx.example.net' }, RISES),
    series('sendwright_team_recipients', { ...labels, team: 'one' }, RISES),
    series('sendwright_team_bounce_ratio', { ...labels, team: 'one' }, RISES),
    series('sendwright_team_complaint_ratio', { ...labels, team: 'one' }, RISES),
    series('sendwright_webhook_lag_seconds', labels, RISES),
    series('sendwright_db_commit_seconds_bucket', { ...labels, pool: 'api', le: '0.25' }, '0+0x100'),
    series('sendwright_db_commit_seconds_bucket', { ...labels, pool: 'api', le: '1' }, GROWS),
    series('sendwright_db_commit_seconds_bucket', { ...labels, pool: 'api', le: '+Inf' }, GROWS),
    series('sendwright_db_connections', { ...labels, pool: 'api', state: 'waiting' }, RISES),
    series('sendwright_body_store_seconds_count', { ...labels, operation: 'read', result: 'error' }, GROWS),
    series('sendwright_http_requests_total', { ...labels, route: '/emails', status: '500' }, GROWS),
  ]
}

/** Reads the rules over these series, and compares what fires after 40 minutes (with `atMin`, then): alert and cell. */
async function expectFiring(input: readonly object[], alerts: readonly Series[], atMin = 40) {
  const directory = mkdtempSync(join(tmpdir(), 'alert-rules-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'test.yml')
  const samples = alerts.map((labels) => ({ labels: series('', labels, '').series, value: 1 }))
  const expr = 'group by (alertname, cell) (ALERTS{alertstate="firing"})'
  writeFileSync(
    path,
    stringify({
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: input,
          promql_expr_test: [{ expr, eval_time: `${atMin}m`, exp_samples: samples }],
        },
      ],
    }),
  )
  const tool = 'absent' in promtool ? '' : promtool.path
  const { code, stdout, stderr } = await runChild(tool, ['test', 'rules', path])
  expect(code, `${stdout}${stderr}`).toBe(0)
}

describe.skipIf('absent' in promtool)('the alert rules, read by Prometheus', () => {
  test('promtool finds no error in them', async () => {
    const tool = 'absent' in promtool ? '' : promtool.path
    const { code, stderr } = await runChild(tool, ['check', 'rules', RULES])
    expect(code, stderr).toBe(0)
  })

  test('nothing fires while two cells, or one installation without a name, are well', async () => {
    await expectFiring([...processOf('a1'), ...processOf('b2')], [])
    await expectFiring(processOf(null), [])
  })

  const SILENT = { up: STOPS, own: STOPS, queue: STOPS }
  test('a cell that is no longer scraped is named, beside one that reports', async () => {
    const input = [...processOf('a1', SILENT), ...processOf('b2')]
    await expectFiring(input, [{ alertname: 'SendwrightSilent', cell: 'a1' }])
    await expectFiring(processOf(null, SILENT), [{ alertname: 'SendwrightSilent' }])
    await expectFiring([], [{ alertname: 'SendwrightSilent' }])
  })

  test('a process that does not respond is named with its cell', async () => {
    const down = { up: '1+0x30 0+0x70', own: STOPS, queue: STOPS }
    const alerts = (labels: Series): Series[] => [
      { alertname: 'SendwrightDown', ...labels },
      { alertname: 'SendwrightSilent', ...labels },
    ]
    await expectFiring([...processOf('a1', down), ...processOf('b2')], alerts({ cell: 'a1' }))
    await expectFiring(processOf(null, down), alerts({}))
    // A process that never responded has no cell yet.
    const never = series('up', { job: 'sendwright', instance: 'new:9090' }, '0+0x100')
    await expectFiring([never, ...processOf('b2')], [{ alertname: 'SendwrightDown' }])
  })

  test('a cell without its database is named, beside one that has its own', async () => {
    const away = { queue: STOPS }
    const input = [...processOf('a1', away), ...processOf('b2')]
    await expectFiring(input, [{ alertname: 'SendwrightQueueFiguresMissing', cell: 'a1' }])
    await expectFiring(processOf(null, away), [{ alertname: 'SendwrightQueueFiguresMissing' }])
  })

  test('trouble in two cells is an alert for each of them', async () => {
    const names = [
      ...['SendwrightQueueIsNotDrained', 'SendwrightManyDelayed', 'SendwrightSitePaused'],
      ...['SendwrightBouncesHigh', 'SendwrightComplaintsHigh', 'SendwrightWebhooksLag'],
      ...['SendwrightCommitsSlow', 'SendwrightPoolExhausted', 'SendwrightBodiesUnavailable'],
      'SendwrightErrors',
    ]
    const input = ['a1', 'b2'].flatMap((cell) => [...processOf(cell).slice(0, 2), ...troubleOf(cell)])
    const alerts = names.flatMap((alertname) => ['a1', 'b2'].map((cell) => ({ alertname, cell })))
    // A paused site is an alert after an hour.
    await expectFiring([...input, ...processOf('c3')], alerts, 95)
  })

  test('the recipients of a team in another cell do not count', async () => {
    const labels = (cell: string) => ({ job: 'sendwright', instance: `${cell}:9090`, cell, team: 'one' })
    const input = [
      ...processOf('a1'),
      ...processOf('b2'),
      series('sendwright_team_bounce_ratio', labels('a1'), STEADY),
      series('sendwright_team_recipients', labels('a1'), '10+0x100'),
      series('sendwright_team_recipients', labels('b2'), '1000+0x100'),
    ]
    await expectFiring(input, [])
  })
})
