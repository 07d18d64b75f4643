import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readFailures, reportLeftovers } from '../../bin/check-report.mjs'

function givenReportFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sendwright-report-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'tests.json')
}

test('named: every failed test, and all that the tests of each project left behind', () => {
  const file = givenReportFile()
  const failed = { status: 'failed', fullName: '200 for all', failureMessages: ['expected 404\n  to be 200'] }
  const passed = { status: 'passed', fullName: 'empty', failureMessages: [] }
  const name = join(import.meta.dirname, 'some.test.ts')
  const testResults = [{ name, message: '', assertionResults: [passed, failed] }]
  writeFileSync(file, JSON.stringify({ testResults }))
  reportLeftovers(file, ['database test_1', 'process 7: node main.js'])
  reportLeftovers(file, ['/tmp/sw-123456/forgotten'])
  expect(readFailures(file, ['printed last'])).toEqual([
    '  test/support/some.test.ts: 200 for all: expected 404 to be 200',
    '  left behind by tests: database test_1',
    '  left behind by tests: process 7: node main.js',
    '  left behind by tests: /tmp/sw-123456/forgotten',
  ])
})

test('named: what a run that broke off printed last, and what it left behind', () => {
  const file = givenReportFile()
  reportLeftovers(file, ['database test_1'])
  expect(readFailures(file, ['worker exited'])).toEqual([
    'worker exited',
    '  left behind by tests: database test_1',
  ])
})
