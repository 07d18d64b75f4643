import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CannotStart } from '../../lib/cannot-start.ts'

/** The account of this machine that PostgreSQL runs as, because it refuses to run as root. */
export interface Account {
  uid: number
  gid: number
}

/**
 * How PostgreSQL's programs are started. `capability` is the right of root that is kept when the account cannot pass
 * through a directory above the binaries or the data that only root may enter.
 */
export interface Launch {
  account: Account | null
  capability: string | null
}

/** PostgreSQL does not inherit the environment: PGDATA, LANG and similar variables would change its behavior. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
/** dac_read_search passes through directories. Containers often have only the broader dac_override. */
const CAPABILITIES = [null, 'dac_read_search', 'dac_override']

/**
 * Chooses the account: null (the current one) unless this process is root. Otherwise the owner of the first of
 * `paths` that exists and does not belong to root, else `postgres`, else `nobody`. Only users with a name in the
 * system qualify, because initdb rejects others.
 */
export function chooseAccount(paths: readonly string[]): Account | null {
  if (process.getuid?.() !== 0) return null
  for (const path of paths) {
    const owner = statSync(path, { throwIfNoEntry: false })
    const ownerUser =
      owner !== undefined && owner.uid !== 0 ? findUser((user) => user.uid === owner.uid) : null
    if (ownerUser !== null) return ownerUser
  }
  const nobody = { uid: 65_534, gid: 65_534 }
  return findUser((user) => user.name === 'postgres') ?? findUser((user) => user.name === 'nobody') ?? nobody
}

function findUser(matches: (user: Account & { name: string }) => boolean): Account | null {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name === undefined || uid === undefined || gid === undefined) continue
    const user = { name, uid: Number(uid), gid: Number(gid) }
    if (matches(user)) return { uid: user.uid, gid: user.gid }
  }
  return null
}

/** Returns the program and arguments that run `file` as `launch` specifies. */
function commandLine(
  launch: Launch,
  file: string,
  args: readonly string[],
): [string, string[], SpawnOptions] {
  const { account, capability } = launch
  const options: SpawnOptions = { cwd: '/', env: ENVIRONMENT }
  if (account === null) return [file, [...args], options]
  // Node drops the supplementary groups with the uid (libuv: setgroups(0)).
  if (capability === null) return [file, [...args], { ...options, uid: account.uid, gid: account.gid }]
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
  // PostgreSQL finds its programs with access(2), which ignores the capabilities of users other than root unless this
  // bit is set (capabilities(7), SECBIT_NO_SETUID_FIXUP).
  const keepCapabilities = '--securebits=+no_setuid_fixup'
  const rights = [keepCapabilities, `--inh-caps=-all,+${capability}`, `--ambient-caps=-all,+${capability}`]
  return ['setpriv', [...identity, ...rights, '--', file, ...args], options]
}

/**
 * Starts a program as `launch` specifies, in a separate session, so that Ctrl-C in the terminal reaches this process
 * and not the database, which must outlive the drain.
 */
export function launchProcess(launch: Launch, file: string, args: readonly string[]): ChildProcess {
  const [command, words, options] = commandLine(launch, file, args)
  return spawn(command, words, { ...options, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** Runs a program to its end with `input` as standard input. Throws CannotStart with its last output. */
export async function runToEnd(
  launch: Launch,
  file: string,
  args: readonly string[],
  input = '',
): Promise<void> {
  const child = launchProcess(launch, file, args)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    throw new CannotStart(`${file} cannot be run (${error.code}).`, { cause: error })
  })
  if (code !== 0) throw new CannotStart(`${file} failed: ${output.trim().split('\n').slice(-3).join(' ')}`)
}

/** Runs the program, reads the file, and writes to each of the directories. */
const PROBE =
  '"$1" --version >/dev/null && : <"$2" && shift 2 && for d in "$@"; do : >"$d/.probe" && rm -f "$d/.probe" || exit 1; done'

/**
 * Returns the launch with the fewest rights with which the account can run `program`, read `file` and write to
 * `directories`. Throws CannotStart and names the blocking directory.
 */
export function chooseLaunch(
  account: Account | null,
  program: string,
  file: string,
  directories: readonly string[],
): Launch {
  let output = ''
  for (const capability of account === null ? [null] : CAPABILITIES) {
    const launch = { account, capability }
    const args = ['-c', PROBE, 'probe', program, file, ...directories]
    const [command, words, options] = commandLine(launch, '/bin/sh', args)
    const answer = spawnSync(command, words, { ...options, encoding: 'utf8' })
    if (answer.status === 0) return launch
    output = (answer.error?.message ?? `${answer.stderr}`).trim() || output
  }
  if (account === null) {
    throw new CannotStart(`The embedded PostgreSQL cannot run here: ${output}. Set DATABASE_URL instead.`)
  }
  const closed = [program, file, ...directories].map((path) => closedAbove(path, account)).find(Boolean)
  throw new CannotStart(
    `PostgreSQL cannot run as root, and user ${account.uid}, which it would run as, has no access to ` +
      `${closed ?? dirname(program)} (${output}). Run Sendwright as a regular user, move it out of that directory, ` +
      'allow others to pass through it (chmod o+x), or set DATABASE_URL.',
  )
}

/** Returns the topmost directory above `path` that the account cannot pass through, according to the mode bits. */
function closedAbove(path: string, account: Account): string | undefined {
  const parent = dirname(path)
  const above = parent === path ? undefined : closedAbove(parent, account)
  if (above !== undefined) return above
  const { uid, gid, mode } = statSync(parent)
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  return (mode & bit) === 0 ? parent : undefined
}
