import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Finished, makeDirectory, runChild } from '../../../bench/support/children.ts'
import { titleOf } from '../../support/absent-programs.ts'
import { findFreePort } from '../../support/ports.ts'

/** The oldest supported version, as Debian 12 packages it. */
const BIN = '/usr/lib/postgresql/15/bin'

/** Whether PostgreSQL 15 is installed, and this process may run it as its own user. */
export const isDebianPostgresHere = existsSync(join(BIN, 'initdb')) && process.getuid?.() === 0

/** Names a test that needs PostgreSQL 15. */
export const titleWithDebianPostgres = (title: string): string =>
  titleOf(title, !isDebianPostgresHere, 'PostgreSQL 15 for root', 'postgresql-15')

/** A server of PostgreSQL 15 with an empty database, which anybody on this machine may use. */
export interface DebianPostgres {
  url: string
  /** Stops the server at once, and deletes its files. */
  stop(): Promise<void>
}

/** @param settings for example `wal_level=logical` */
export async function startDebianPostgres(settings: readonly string[] = []): Promise<DebianPostgres> {
  const folder = makeDirectory('postgresql-15')
  await runChild('chown', ['postgres', folder])
  const port = await findFreePort()
  const data = ['-D', join(folder, 'data')]
  const all = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=400',
    ...settings,
  ]
  const options = `-p ${port} ${all.map((setting) => `-c ${setting}`).join(' ')}`
  await run('initdb', [...data, '-A', 'trust', '-U', 'postgres', '--locale=C.UTF-8', '-E', 'UTF8'], folder)
  await run('pg_ctl', [...data, '-l', join(folder, 'log'), '-o', options, '-w', 'start'], folder)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await run('pg_ctl', [...data, '-m', 'immediate', '-w', 'stop'], folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a program of PostgreSQL 15, which must not run as root, and expects it to succeed. */
async function run(program: string, args: readonly string[], folder: string): Promise<Finished> {
  return requireSuccess(
    program,
    await runChild('runuser', ['-u', 'postgres', '--', join(BIN, program), ...args], { cwd: folder }),
  )
}

/** Copies the definitions of a schema with all its tables to another server, with the programs of PostgreSQL. */
export async function copyDefinitions(schema: string, from: string, to: string): Promise<void> {
  const dump = `'${BIN}/pg_dump' --schema-only --no-publications --schema=${schema} '${from}'`
  const command = `${dump} | '${BIN}/psql' --quiet --set=ON_ERROR_STOP=1 '${to}'`
  requireSuccess('pg_dump', await runChild('bash', ['-o', 'pipefail', '-c', command]))
}

function requireSuccess(program: string, finished: Finished): Finished {
  if (finished.code !== 0) throw new Error(`${program}: ${finished.stdout}${finished.stderr}`)
  return finished
}
