import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChild } from '../../../bench/support/children.ts'

/** An environment in which fsync can be made to fail, for processes started with it. */
export interface FailingFsync {
  environment: Record<string, string>
  fail(): void
  mend(): void
}

/** Wraps fsync(2) and fdatasync(2), which return EIO while a file exists, as a failing disk does. */
const SOURCE = `
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static int fails(void) {
  const char *flag = getenv("FAILING_FSYNC_FLAG");
  return flag != NULL && access(flag, F_OK) == 0;
}
int fsync(int fd) {
  if (fails()) { errno = EIO; return -1; }
  return syscall(SYS_fsync, fd);
}
int fdatasync(int fd) {
  if (fails()) { errno = EIO; return -1; }
  return syscall(SYS_fdatasync, fd);
}
`

/**
 * Returns null when it can be built here, after installing a compiler if necessary; otherwise a sentence with the
 * reason.
 */
export async function installCompiler(): Promise<string | null> {
  if (process.platform !== 'linux') return 'A failing fsync is skipped: only Linux has LD_PRELOAD.'
  if (existsSync('/usr/bin/cc')) return null
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = 'apt-get update -q && apt-get install -y -q --no-install-recommends gcc libc6-dev'
  const { code, stderr } = await runChild('/bin/sh', ['-c', install], { env, timeoutMs: 300_000 })
  return code === 0 ? null : `A failing fsync is skipped: ${stderr.trim().split('\n').at(-1)}`
}

/**
 * Builds the library.
 * @param directory that other users may enter
 */
export function buildFailingFsync(directory: string): FailingFsync {
  const source = join(directory, 'failing-fsync.c')
  const library = join(directory, 'failing-fsync.so')
  const flag = join(directory, 'fsync-fails')
  writeFileSync(source, SOURCE)
  execFileSync('/usr/bin/cc', ['-shared', '-fPIC', '-o', library, source])
  return {
    environment: { LD_PRELOAD: library, FAILING_FSYNC_FLAG: flag },
    fail: () => writeFileSync(flag, ''),
    mend: () => rmSync(flag, { force: true }),
  }
}
