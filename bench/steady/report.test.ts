import { expect, test } from 'vitest'
import type { SteadyFigure } from './outcome.ts'
import { replacePart } from './report.ts'

const figure = (name: string): SteadyFigure => ({
  name,
  title: 'Mail beside mail',
  note: 'A note.',
  run: async () => outcomeOf(1),
})
const outcomeOf = (ms: number) => ({
  measured: [{ what: 'a wait', unit: 'ms', values: [ms] }],
  verdicts: [{ target: 'soon', measured: `${ms} ms`, isMet: true }],
})
const PAGE = '# Results\n\nFigures.\n\n## Lists\n\nRows.\n'

test('The section comes before the lists, with one part per figure; a new run replaces the part of an earlier one', () => {
  const first = replacePart(PAGE, figure('fairness'), outcomeOf(1), 'By hand.')
  const both = replacePart(first, figure('claim'), outcomeOf(2), 'By hand.')
  const page = replacePart(both, figure('fairness'), outcomeOf(3), 'By hand.')
  expect(page.match(/^## .*/gm)).toEqual(['## Fair and steady', '## Lists'])
  expect(page.match(/^### \S+/gm)).toEqual(['### claim:', '### fairness:'])
  expect(page).toContain('3 ms')
  expect(page).not.toContain('1 ms')
  expect(page.endsWith('\n\n## Lists\n\nRows.\n')).toBe(true)
  const head = replacePart(
    PAGE.replace('## Lists', '## Fair and steady\n\nHead.\n\n## Lists'),
    figure('claim'),
    outcomeOf(1),
    'By hand.',
  )
  expect(head).toContain('## Fair and steady\n\nHead.\n\n### claim: Mail beside mail\n\nBy hand. A note.\n')
})
