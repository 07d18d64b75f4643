import { expect, test } from 'vitest'
import { formatCells } from './report.ts'

test('the sizes follow from the larger cost of an email', () => {
  const run = { endToEnd: 500, stolenPercent: 0 }
  const text = formatCells([
    { ...run, cells: 1, cpuSeconds: 1.6 },
    { ...run, cells: 2, cpuSeconds: 2, endToEnd: 900 },
  ])
  expect(text).toContain('with 2 cells, an email takes 1.25 times the processor time')
  // 463 emails a second of 2 ms each.
  expect(text).toMatch(/\| +10,000,000 \| +463 \| +0\.93 \| +1 \|/)
  expect(text).toMatch(/\| +1,000,000,000 \| +46,296 \| +92\.6 \| +93 \|/)
  expect(text).toMatch(/\| +2 \| end to end +\| emails\/s \| +900 \| +900 \| +900 \| +1\.80 \|/)
})
