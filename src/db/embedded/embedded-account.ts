import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CannotStart } from '../../lib/cannot-start.ts'

/** A user of this machine that PostgreSQL runs as, because it refuses to run as root. */
export interface Account {
  uid: number
  gid: number
}

/**
 * How PostgreSQL's programs are started. `capability`: what is kept of root's rights, when the account alone could not
 * pass through a directory above the binaries or the data that only root may enter.
 */
export interface Launch {
  account: Account | null
  capability: string | null
}

/** Nothing of the caller's environment reaches PostgreSQL: PGDATA, LANG and their like would change what it does. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
/** dac_read_search passes through directories; containers often have only the mightier dac_override. */
const CAPABILITIES = [null, 'dac_read_search', 'dac_override']

/**
 * The account to run as: null (this process's own) unless this is root. Then whoever owns the first of `paths` that
 * exists and is not root's, else `postgres`, else `nobody`. Only users that the machine knows by name: initdb refuses
 * others.
 */
export function chooseAccount(paths: readonly string[]): Account | null {
  if (process.getuid?.() !== 0) return null
  for (const path of paths) {
    const owner = statSync(path, { throwIfNoEntry: false })
    const known = owner !== undefined && owner.uid !== 0 ? findUser((user) => user.uid === owner.uid) : null
    if (known !== null) return known
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

/** The program and arguments that run `file` in the way of `launch`. */
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
  const given = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
  // PostgreSQL looks for its own programs with access(2), which leaves capabilities out of account for other users than
  // root unless this bit is set (capabilities(7), SECBIT_NO_SETUID_FIXUP).
  const look = '--securebits=+no_setuid_fixup'
  const rights = [look, `--inh-caps=-all,+${capability}`, `--ambient-caps=-all,+${capability}`]
  return ['setpriv', [...given, ...rights, '--', file, ...args], options]
}

/**
 * Starts a program in the way of `launch`. A session of its own, so that Ctrl-C in the terminal reaches us and not the
 * database, which must outlive the drain.
 */
export function launchProcess(launch: Launch, file: string, args: readonly string[]): ChildProcess {
  const [command, words, options] = commandLine(launch, file, args)
  return spawn(command, words, { ...options, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** Runs a program to its end; `input` is its standard input. Throws CannotStart with what it said last. */
export async function runToEnd(
  launch: Launch,
  file: string,
  args: readonly string[],
  input = '',
): Promise<void> {
  const child = launchProcess(launch, file, args)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    throw new CannotStart(`${file} cannot be run (${error.code}).`, { cause: error })
  })
  if (code !== 0) throw new CannotStart(`${file} failed: ${said.trim().split('\n').slice(-3).join(' ')}`)
}

/** Runs the program and opens the file given first; then writes to each directory that follows. */
const PROBE =
  '"$1" --version >/dev/null && : <"$2" && shift 2 && for d in "$@"; do : >"$d/.probe" && rm -f "$d/.probe" || exit 1; done'

/**
 * The mildest way in which the account can run `program`, read `file` and write to `directories`. Throws CannotStart
 * naming the directory that is in the way.
 */
export function chooseLaunch(
  account: Account | null,
  program: string,
  file: string,
  directories: readonly string[],
): Launch {
  let said = ''
  for (const capability of account === null ? [null] : CAPABILITIES) {
    const launch = { account, capability }
    const args = ['-c', PROBE, 'probe', program, file, ...directories]
    const [command, words, options] = commandLine(launch, '/bin/sh', args)
    const answer = spawnSync(command, words, { ...options, encoding: 'utf8' })
    if (answer.status === 0) return launch
    said = (answer.error?.message ?? `${answer.stderr}`).trim() || said
  }
  if (account === null) {
    throw new CannotStart(`The embedded PostgreSQL cannot run here: ${said}. Set DATABASE_URL instead.`)
  }
  const closed = [program, file, ...directories].map((path) => closedAbove(path, account)).find(Boolean)
  throw new CannotStart(
    `PostgreSQL must not run as root, and user ${account.uid} that it would run as cannot get through ` +
      `${closed ?? dirname(program)} (${said}). Run Sendwright as an ordinary user, move it out of that directory, ` +
      'give others the right to pass through it (chmod o+x), or set DATABASE_URL.',
  )
}

/** The topmost directory above `path` that the account may not pass through, judged by the mode bits. */
function closedAbove(path: string, account: Account): string | undefined {
  const parent = dirname(path)
  const above = parent === path ? undefined : closedAbove(parent, account)
  if (above !== undefined) return above
  const { uid, gid, mode } = statSync(parent)
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  return (mode & bit) === 0 ? parent : undefined
}
