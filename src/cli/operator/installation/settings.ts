import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, readConfig } from '../../../config/config.ts'
import { PROJECT_FOLDER } from '../../../lib/project-folder.ts'

/** Whether this is the package from npm, and not a clone. */
const IS_PACKAGE = !existsSync(join(PROJECT_FOLDER, 'src', 'main.ts'))
/**
 * The default data directory: beside the sources in a clone, in the working directory for a package. npm deletes the
 * folder of a package when it installs another version.
 */
export const DEFAULT_DATA_DIR = IS_PACKAGE ? resolve('sendwright-data') : join(PROJECT_FOLDER, 'data')
/** The file of settings that the launcher reads (bin/run-sendwright.mjs). */
export const SETTINGS_FILE = IS_PACKAGE ? 'sendwright.env' : '.env'

/**
 * Reads the settings from the environment. In a clone, the default data directory does not depend on the working
 * directory.
 */
export function readSettings(): Config {
  return readConfig({ SENDWRIGHT_DATA_DIR: DEFAULT_DATA_DIR, ...process.env })
}
