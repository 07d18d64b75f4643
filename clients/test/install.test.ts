import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { titleOf } from '../../test/support/absent-programs.ts'

// The lines that the guides tell people to run, as they are, in an empty folder. Nothing comes from the network.

const ROOT = join(import.meta.dirname, '../..')
const ENVIRONMENT = {
  ...process.env,
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
  PIP_NO_INDEX: '1',
  PIP_NO_BUILD_ISOLATION: 'false',
  PIP_BREAK_SYSTEM_PACKAGES: '1',
  COMPOSER_ALLOW_SUPERUSER: '1',
  COMPOSER_NO_INTERACTION: '1',
}
const run = promisify(execFile)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-install-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Returns the shell block of a guide that has a text, for this clone. */
function linesOf(guide: string, text: string): string {
  const blocks = readFileSync(join(ROOT, 'docs', guide), 'utf8').matchAll(/```sh\n([^`]+)```/g)
  const found = [...blocks].map(([, lines = '']) => lines).find((lines) => lines.includes(text))
  if (found === undefined) throw new Error(`${guide} has no block with ${text}`)
  expect(found).toContain('CLONE=~/sendwright\n')
  return found.replace('~/sendwright', `'${ROOT}'`)
}

/** Runs lines in the empty folder, and returns what they print. */
async function follow(lines: string, more: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', lines], {
    cwd: folder,
    // npm passes its cache to what it runs: there, npx would keep the package, and share it with other runs of the tests.
    env: { ...ENVIRONMENT, HOME: folder, npm_config_cache: join(folder, 'npm-cache'), ...more },
  })
  return stdout
}

function succeeds(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('the SDK', async () => {
  await follow(linesOf('sdk.md', '@sendwright/sdk'))
  const program =
    "import { Sendwright } from '@sendwright/sdk'; console.log(typeof new Sendwright({ apiKey: 'sw_x', baseUrl: 'http://127.0.0.1:1' }).emails.send)"
  writeFileSync(join(folder, 'app.mjs'), program)
  expect(await follow('node app.mjs')).toBe('function\n')
})

test('the MCP server, by the command of the settings', async () => {
  const lines = linesOf('mcp.md', '@sendwright/mcp')
  const settings = readFileSync(join(ROOT, 'docs/mcp.md'), 'utf8')
  const [, command, args] = /"command": "(npx)",\n\s+"args": (\[.*\])/.exec(settings) ?? []
  const started = (JSON.parse(args ?? '[]') as string[]).map((arg) => arg.replace('/path/to', '.'))
  const message = '{"jsonrpc":"2.0","id":7,"method":"ping"}'
  const server = { SENDWRIGHT_URL: 'http://127.0.0.1:1', SENDWRIGHT_API_KEY: 'sw_x' }
  const answer = await follow(`${lines}\n${command} ${started.join(' ')} <<< '${message}' | tail -1`, server)
  expect(JSON.parse(answer.trim().split('\n').at(-1) ?? '')).toMatchObject({
    id: 7,
    error: { code: -32_000 },
  })
})

test('the command line', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  expect(await follow(linesOf('cli.md', 'sendwright --version'))).toBe(`${version}\n`)
})

// An interpreter that a version manager put first may lack what Debian's has.
const python = ['python3', '/usr/bin/python3'].find((command) =>
  succeeds(command, '-c', 'import setuptools, wheel, pip'),
)
const PYTHON_PACKAGES = 'python3-pip python3-setuptools python3-wheel'
describe.skipIf(python === undefined)(titleOf('Python', python === undefined, 'pip', PYTHON_PACKAGES), () => {
  test('the client', async () => {
    const lines = linesOf('clients.md', 'pip install').replace('python3', python ?? '')
    await follow(lines, { PIP_TARGET: join(folder, 'lib') })
    const program =
      'import sendwright; print(sendwright.Sendwright(api_key="sw_x", base_url="http://127.0.0.1:1").emails.send.__name__)'
    expect(await follow(`PYTHONPATH=lib '${python}' -c '${program}'`)).toBe('send\n')
  })
})

const hasComposer = succeeds('composer', '--version')
describe.skipIf(!hasComposer)(titleOf('PHP', !hasComposer, 'composer'), () => {
  test('the client', async () => {
    writeFileSync(join(folder, 'composer.json'), '{ "repositories": { "packagist": false } }')
    await follow(linesOf('clients.md', 'composer require'))
    const program = `require 'vendor/autoload.php'; echo get_class(new Sendwright\\Sendwright(apiKey: 'sw_x', baseUrl: 'http://127.0.0.1:1'));`
    expect(await follow(`php -r "${program}"`)).toBe('Sendwright\\Sendwright')
  })
})
