import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildServer } from './build-server.ts'

// `npm pack` and `npm publish` run this after the dashboard is built. Node.js refuses to strip types under node_modules, so
// the package contains JavaScript.

const ROOT = join(import.meta.dirname, '..', '..')

if (!existsSync(join(ROOT, 'web', 'dist', 'index.html'))) throw new Error('The dashboard is not built.')
await buildServer(null)
