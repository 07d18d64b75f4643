import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

/**
 * The folder of this clone or package. A module must not reach other files by paths relative to itself: it runs from `src` in
 * tests, and bundled from `dist` elsewhere.
 */
export const PROJECT_FOLDER = dirname(findPackageJSON(import.meta.url) ?? '.')
