import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_FOLDER } from './project-folder.ts'

/** The version of this program, from its package. */
export const VERSION = (
  JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as { version: string }
).version
