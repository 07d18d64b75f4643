import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './ensure-installed.mjs'

/** Vitest has written its report when the teardown finds what is left, so that is in another file beside it. */
const leftoversFileOf = (report) => `${report}.left`

/** Adds what the tests of a run left behind to its report. */
export function reportLeftovers(report, leftovers) {
  appendFileSync(leftoversFileOf(report), leftovers.map((each) => `${each}\n`).join(''))
}

/**
 * Returns a line for each failed test of a run, or else the last lines that it printed, which say why a step without tests
 * failed, or one that broke off; then a line for each thing that the tests left behind.
 */
export function readFailures(report, lastLines) {
  const tests = readFailedTests(report)
  return [...(tests.length > 0 ? tests : lastLines), ...readLeftovers(report)]
}

function readFailedTests(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(describeFailures)
  } catch {
    return []
  }
}

function readLeftovers(report) {
  try {
    const lines = readFileSync(leftoversFileOf(report), 'utf8').trimEnd().split('\n')
    return lines.map((line) => `  left behind by tests: ${shorten(line)}`)
  } catch {
    return []
  }
}

function describeFailures({ name, message, assertionResults }) {
  const tests = assertionResults.filter(({ status }) => status === 'failed')
  const file = relative(root, name)
  if (tests.length === 0) return message === '' ? [] : [`  ${file}: ${shorten(message)}`]
  return tests.map(
    ({ fullName, failureMessages }) => `  ${file}: ${fullName}: ${shorten(failureMessages.join(' '))}`,
  )
}

function shorten(message) {
  return message.replaceAll(/\s+/g, ' ').slice(0, 400)
}
