import { ensureInstalled } from './ensure-installed.mjs'
import { runSendwright } from './run-node.mjs'

ensureInstalled({ dev: false })
process.exit(await runSendwright(['serve', ...process.argv.slice(2)]))
