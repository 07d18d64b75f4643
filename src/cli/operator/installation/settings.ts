import { join, resolve } from 'node:path'
import { type Config, readConfig } from '../../../config/config.ts'

/** Whether this is the package from npm, which has compiled files, and not a clone. */
const IS_PACKAGE = import.meta.filename.endsWith('.js')
/**
 * The default data directory: beside the sources in a clone, in the working directory for a package. npm deletes the
 * folder of a package when it installs another version.
 */
export const DEFAULT_DATA_DIR = IS_PACKAGE
  ? resolve('sendwright-data')
  : join(import.meta.dirname, '../../../../data')
/** The file of settings that the launcher reads (bin/run-node.mjs). */
export const SETTINGS_FILE = IS_PACKAGE ? 'sendwright.env' : '.env'

/**
 * Reads the settings from the environment. In a clone, the default data directory does not depend on the working
 * directory.
 */
export function readSettings(): Config {
  return readConfig({ SENDWRIGHT_DATA_DIR: DEFAULT_DATA_DIR, ...process.env })
}
