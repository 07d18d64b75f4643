import { chownSync, statSync } from 'node:fs'

/** Root may start the service for the user that the directory belongs to, who will start it alone next time. */
export function giveToOwnerOf(dataDir: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir)
  chownSync(path, uid, gid)
}
