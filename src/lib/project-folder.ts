import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

/**
 * The folder of this clone or package. A module must not reach other files by paths relative to itself: it may run from `src`, as in
 * tests, or bundled from `dist`.
 */
export const PROJECT_FOLDER = dirname(findPackageJSON(import.meta.url) ?? '.')
