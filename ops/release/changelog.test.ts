import { expect, test } from 'vitest'
import { findSection } from './changelog.ts'

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n## [1.0.1] - 2027-02-01\n\n### Fixed\n\n- It.\n\n## [1.0.0]\n\nAll.\n'

test('a section of the changelog is found by its version, without its heading', () => {
  expect(findSection(CHANGELOG, '1.0.1')).toBe('### Fixed\n\n- It.\n')
  expect(findSection(CHANGELOG, '1.0.0')).toBe('All.\n')
})

test('an empty or missing section is none', () => {
  expect(findSection(CHANGELOG, 'Unreleased')).toBeNull()
  expect(findSection(CHANGELOG, '1.0')).toBeNull()
})
