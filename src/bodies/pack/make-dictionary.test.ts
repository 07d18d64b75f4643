import { expect, test } from 'vitest'
import { groupByRecipient, makeDictionary } from './make-dictionary.ts'

const message = (name: string) =>
  Buffer.from(
    [
      `To: ${name}@example.com`,
      'Content-Type: text/html; charset=utf-8',
      '',
      `<p style="color:#333;margin:0 0 16px">Dear ${name}, your secret is ${name}-secret</p>`,
      '<p>Questions? Write to help@shop.example at any time.</p>',
    ].join('\r\n'),
  )

test('the text that emails to four unrelated people share, each piece once', () => {
  const samples = ['ann', 'bob', 'cid', 'dee'].map((name, group) => ({ message: message(name), group }))
  const dictionary = makeDictionary([...samples, ...samples])?.toString() ?? ''
  expect(dictionary).toContain('Content-Type: text/html; charset=utf-8\r\n')
  expect(dictionary.split('color:#333;margin:0 0 16px')).toHaveLength(2)
})

test('no values, no addresses', () => {
  const samples = ['ann', 'bob', 'cid', 'dee'].map((name, group) => ({ message: message(name), group }))
  const dictionary = makeDictionary(samples)?.toString() ?? ''
  expect(dictionary).not.toMatch(/ann|bob|cid|dee|secret|@/)
})

test('null if less than four unrelated people have anything in common', () => {
  const samples = ['ann', 'bob', 'cid'].map((name, group) => ({ message: message(name), group }))
  expect(makeDictionary(samples)).toBeNull()
  expect(makeDictionary(samples.concat(samples, samples))).toBeNull()
  expect(makeDictionary([])).toBeNull()
})

test('nothing that is only in one person’s many emails', () => {
  const own = Array.from({ length: 9 }, () => ({
    message: Buffer.from('Your diagnosis has not changed.\r\n'),
    group: 7,
  }))
  const others = ['ann', 'bob', 'cid', 'dee'].map((name, group) => ({ message: message(name), group }))
  expect(makeDictionary([...own, ...others])?.toString()).not.toContain('diagnosis')
})

test('at most 112 KB', () => {
  const textOf = (name: string) =>
    Buffer.from(
      Array.from({ length: 3000 }, (_, number) => `Line ${number} of the ${name} text is long.\r\n`).join(''),
    )
  const samples = [0, 1, 2, 3, 4, 5, 6, 7].map((group) => ({
    message: textOf(group < 4 ? 'first' : 'second'),
    group,
  }))
  const { length = 0 } = makeDictionary(samples) ?? {}
  expect(length).toBeGreaterThan(100 * 1024)
  expect(length).toBeLessThanOrEqual(112 * 1024)
})

test('emails are in one group if they share a recipient, also by way of others', () => {
  const groups = groupByRecipient([['a'], ['b'], ['c', 'b'], [], ['d'], ['a', 'c']])
  expect(new Set([groups[0], groups[1], groups[2], groups[5]]).size).toBe(1)
  expect(new Set(groups).size).toBe(3)
})
