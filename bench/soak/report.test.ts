import { expect, test } from 'vitest'
import { drawChart } from './chart.ts'
import { createReference } from './reference.ts'
import { formatSoak, SOAK_FIGURES } from './report.ts'
import type { SoakSample } from './samples.ts'

function sample(index: number, changes: Partial<SoakSample> = {}): SoakSample {
  return {
    part: 1,
    atSeconds: index * 30,
    emails: index * 1000,
    rate: 1000,
    cpuUs: 900,
    probeMs: 8,
    loopDelayMs: 20,
    nodeMb: 200,
    postgresMb: 300,
    deadRows: 5000,
    tableBytesPerEmail: 9000,
    indexBytesPerEmail: 2000,
    walBytesPerEmail: 20_000,
    deletedRows: 10,
    droppedPartitions: 2,
    ...changes,
  }
}

const run = (samples: SoakSample[]) => formatSoak({ samples, isComplete: true })

test('A drift for the worse above 10 % misses the target, and one for the better does not', () => {
  const samples = Array.from({ length: 10 }, (_, index) =>
    sample(index + 1, { rate: 1000 + 100 * index, nodeMb: 200 + 10 * index }),
  )
  const table = run(samples)
  expect(table).toMatch(/emails\/s +\| +1,050 \| +1,850 \| 76\.2 % +\| met/)
  expect(table).toMatch(/Node, MB +\| +205 \| +285 \| 39\.0 % +\| MISSED/)
})

test('Intervals in which no probe ended do not count', () => {
  const samples = Array.from({ length: 10 }, (_, index) =>
    sample(index + 1, { probeMs: index % 2 === 0 ? 8 : Number.NaN }),
  )
  expect(run(samples)).toMatch(/probe, ms +\| +8\.00 \| +8\.00 \| 0\.00 % +\| met/)
})

test('A figure that parts of a run do not have is left out', () => {
  const samples = (referenceMs: number) => Array.from({ length: 5 }, (_, n) => sample(n + 1, { referenceMs }))
  expect(run([...samples(20), ...samples(30)])).toMatch(/machine, ms +\| +20\.0 \| +30\.0 \| 50\.0 % +\| -/)
  expect(run(Array.from({ length: 10 }, (_, n) => sample(n + 1)))).toMatch(/machine, ms +\|( +- +\|){4}/)
})

test('The reference takes processor time', () => {
  expect(createReference()()).toBeGreaterThan(0)
})

test('A run in parts says so', () => {
  const samples = Array.from({ length: 10 }, (_, index) => sample(index + 1, { part: index < 5 ? 1 : 2 }))
  expect(run(samples)).toContain('stopped and started again between 2 parts')
})

test('A run without five samples says so', () => {
  expect(run([sample(1)])).toBe('Too short: 1 samples.')
})

test('The chart has a line for each figure', () => {
  const svg = drawChart([sample(1), sample(2)], SOAK_FIGURES)
  expect(svg.match(/<polyline/g)).toHaveLength(SOAK_FIGURES.length)
  expect(svg).not.toContain('NaN')
})

test('The chart has a title for those who do not see it', () => {
  expect(drawChart([sample(1)], SOAK_FIGURES)).toMatch(/^<svg [^>]+>\n<title>[^<]+<\/title>/)
})
