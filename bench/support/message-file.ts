import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory, removeDirectory } from './children.ts'
import { composeMessage, makeDraft } from './message.ts'
import { DOMAIN, RECIPIENT_DOMAIN } from './names.ts'

/** A message that smtp-source can send: the same kind that the product is asked to build. */
export async function makeMessageFile(): Promise<{ path: string; remove(): void }> {
  const directory = makeDirectory('message')
  const path = join(directory, 'message.eml')
  const from = `Bench Shop <orders@${DOMAIN}>`
  writeFileSync(path, await composeMessage(makeDraft(0), from, `customer@${RECIPIENT_DOMAIN}`), 'latin1')
  return { path, remove: () => removeDirectory(directory) }
}
