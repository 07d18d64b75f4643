#!/usr/bin/env node
import { ensureInstalled } from './ensure-installed.mjs'
import { runSendwright } from './run-node.mjs'

ensureInstalled({ dev: false })
process.exit(await runSendwright(process.argv.slice(2)))
