import { renameSync, rmSync } from 'node:fs'

/** Moves the folder `made` to the place of `folder`, which may not exist yet. Of two builds at the same time, the last one stays. */
export function replaceFolder(folder: string, made: string): void {
  const old = `${made}.old`
  for (;;) {
    move(folder, old, 'ENOENT')
    const isDone = move(made, folder, 'ENOTEMPTY')
    rmSync(old, { recursive: true, force: true })
    if (isDone) return
  }
}

/** Returns false if it fails with the error `expected`. */
function move(from: string, to: string, expected: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expected) return false
    throw error
  }
}
