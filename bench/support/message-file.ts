import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory, removeDirectory } from './children.ts'
import { composeMessage, makeDraft } from './message.ts'
import { DOMAIN, RECIPIENT_DOMAIN } from './names.ts'

/** Writes a message for smtp-source, of the same kind that the product composes. */
export async function makeMessageFile(): Promise<{ path: string; remove(): void }> {
  const directory = makeDirectory('message')
  const path = join(directory, 'message.eml')
  const from = `Bench Shop <orders@${DOMAIN}>`
  writeFileSync(path, await composeMessage(makeDraft(0), from, `customer@${RECIPIENT_DOMAIN}`), 'latin1')
  return { path, remove: () => removeDirectory(directory) }
}
