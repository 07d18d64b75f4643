import { expect, test } from 'vitest'
import { readOtherSections, readSection, replaceSection } from './section.ts'

const PAGE = '# Results\n\n## Figures\n\nRates.\n\n## Fair and steady\n\nWaits.\n\n## Lists\n\nRows.\n'

test('A new section comes before the last ones; a new run replaces it and keeps the rest of the page', () => {
  const once = replaceSection(PAGE, 'Soak', 'First.')
  const twice = replaceSection(once, 'Soak', 'Second.')
  expect(once.match(/^## .*/gm)).toEqual(['## Figures', '## Soak', '## Fair and steady', '## Lists'])
  expect(twice).toBe(replaceSection(PAGE, 'Soak', 'Second.'))
  expect(readSection(twice, 'Soak')).toBe('\n## Soak\n\nSecond.\n')
  expect(twice.replace(readSection(twice, 'Soak'), '')).toBe(PAGE)
  expect(readSection(PAGE, 'Soak')).toBe('')
})

test('The last sections keep their order, whichever was written first', () => {
  const page = '# Results\n\n## Figures\n\nRates.\n'
  const lists = (text: string) => replaceSection(text, 'Lists', 'Rows.')
  const steady = (text: string) => replaceSection(text, 'Fair and steady', 'Waits.')
  expect(steady(lists(page))).toBe(lists(steady(page)))
  expect(steady(lists(page))).toBe(PAGE)
})

test('The sections of other runs are kept when the page is rewritten', () => {
  const page = replaceSection(PAGE, 'By hand', 'Text.')
  const others = readOtherSections(page, ['Figures', 'Targets'])
  expect(`# Results\n\n## Figures\n\nNew rates.\n${others}`).toBe(page.replace('Rates', 'New rates'))
})
