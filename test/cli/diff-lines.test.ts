import { expect, test } from 'vitest'
import { diffLines } from '../../src/cli/developer/templates/diff-lines.ts'

test('equal texts have no differences', () => {
  expect(diffLines('a\nb\n', 'a\nb\n')).toEqual([])
  expect(diffLines('', '')).toEqual([])
})

test('changed lines appear with two lines around them', () => {
  expect(diffLines('1\n2\n3\n4\n5\n6\n', '1\n2\n3\nfour\n5\n6\n7\n')).toEqual([
    ' 2',
    ' 3',
    '-4',
    '+four',
    ' 5',
    ' 6',
    '+7',
  ])
  expect(diffLines('', 'new\n')).toEqual(['+new'])
  expect(diffLines('old\n', '')).toEqual(['-old'])
})

test('lines that both texts have in the same order stay', () => {
  expect(diffLines('a\nx\nb\n', 'x\nb\na\n')).toEqual(['-a', ' x', ' b', '+a'])
})
