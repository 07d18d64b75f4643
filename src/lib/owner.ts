import { chownSync, statSync } from 'node:fs'

/** Root may start the service for the owner of the directory, who may start it without root the next time. */
export function giveToOwnerOf(dataDir: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir)
  chownSync(path, uid, gid)
}
