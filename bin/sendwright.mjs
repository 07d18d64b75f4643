#!/usr/bin/env node
import { ensureInstalled } from './ensure-installed.mjs'
import { keepRunning } from './keep-running.mjs'
import { runSendwright } from './run-sendwright.mjs'

ensureInstalled({ dev: false })
const args = process.argv.slice(2)
process.exit(await (args[0] === 'serve' ? keepRunning : runSendwright)(args))
