import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { REPOSITORY } from '../journeys/support/children.ts'

const UNIT = join(REPOSITORY, 'ops', 'systemd', 'sendwright.service')
/** systemd's score: 0 is the best, and services without any hardening have 9.6. */
const EXPOSURE_MAX = 20

const isAbsent = spawnSync('systemd-analyze', ['--version']).error !== undefined
if (isAbsent) process.stderr.write('systemd-analyze is missing.\n')

function analyze(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

test.skipIf(isAbsent)('systemd finds no error in the unit', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sendwright-unit-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'sendwright.service')
  // The program of the unit exists only after an installation.
  const text = readFileSync(UNIT, 'utf8')
  writeFileSync(file, text.replace('/opt/sendwright/bin/sendwright', '/bin/true'))
  expect(analyze('verify', '--man=no', file)).toEqual({ status: 0, output: '' })
  writeFileSync(file, text.replace('ProtectSystem=strict', 'ProtectSystm=strict'))
  expect(analyze('verify', '--man=no', file).output).toContain('ProtectSystm')
})

test.skipIf(isAbsent)('systemd rates the exposure of the unit as low', () => {
  const rated = analyze('security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, UNIT)
  console.log(rated.output.trim().split('\n').at(-1))
  expect(rated.status).toBe(0)
})
