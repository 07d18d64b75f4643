import { expect, test } from 'vitest'
import { type Figure, PRODUCT, type Sample } from './figure.ts'
import { computeMedian, formatFigures, formatTargets, writeReport } from './report.ts'

const FIGURE: Figure = {
  name: 'accept',
  title: 'Accept',
  measures: { rate: 'emails/s' },
  subjects: [],
  targets: [
    { what: 'twice the peer', measure: 'rate', peer: 'Peer', bound: { least: 2 } },
    { what: 'at most 250', measure: 'rate', peer: null, bound: { most: 250 } },
  ],
  note: 'Nothing.',
}

function sample(rate: number): Sample {
  return { values: { rate }, count: 500, cost: { cpuSeconds: 1, peakMb: 100, stolenPercent: 0.5 } }
}

function measured(own: (Sample | null)[], peer: (Sample | null)[]) {
  return {
    figure: FIGURE,
    rounds: new Map([
      [PRODUCT, own],
      ['Peer', peer],
    ]),
  }
}

test('A target is met if the median of the ratios within rounds reaches the bound, even if the ratio of the medians does not', () => {
  const own = [sample(200), sample(300), sample(900)]
  const peer = [sample(100), sample(200), sample(300)]
  const table = formatTargets([measured(own, peer)])
  expect(table).toMatch(/twice the peer +\| 2\.00 \(1\.50 to 3\.00\) +\| met/)
  expect(table).toMatch(/at most 250 +\| 300 \(200 to 900\) +\| MISSED/)
})

test('A round in which either side failed is left out of the ratio', () => {
  const table = formatTargets([measured([sample(400), null, sample(100)], [sample(100), sample(100), null])])
  expect(table).toMatch(/twice the peer +\| 4\.00 \(4\.00 to 4\.00\) +\| met/)
})

test('A target is "not measured" if the peer is missing', () => {
  const table = formatTargets([{ figure: FIGURE, rounds: new Map([[PRODUCT, [sample(1)]]]) }])
  expect(table).toMatch(/twice the peer +\| - +\| not measured/)
})

test('The table shows the number of successful runs, and CPU seconds per 1,000 emails', () => {
  const table = formatFigures([measured([sample(400), null], [null, null])])
  expect(table).toMatch(/Sendwright +\| emails\/s \| +400 \| +400 \| +400 \| +1\/2 \| +2\.00 \|/)
  expect(table).toMatch(/Peer +\| emails\/s \| +failed \|/)
})

test('The report is one page with the machine, the figures and the targets', () => {
  const page = writeReport(
    [measured([sample(400)], [sample(100)])],
    [['CPU', '2 cores']],
    ['Postfix is skipped.'],
  )
  expect(page).toContain('| CPU     | 2 cores |')
  expect(page).toContain('- Postfix is skipped.')
})

test('The median of an even number of values is the mean of the two middle ones', () => {
  expect(computeMedian([4, 1, 3, 2])).toBe(2.5)
  expect(computeMedian([3, 1, 2])).toBe(2)
})
