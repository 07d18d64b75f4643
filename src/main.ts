import { enableCompileCache } from 'node:module'

// Node compiles all code at every start unless it may keep the result, and strips the types if the sources run: with the cache, a
// start is half a second shorter. Everything else is imported after it is on.
enableCompileCache()
const { DEVELOPER_COMMANDS } = await import('./cli/developer/commands.ts')
// Commands that call the API load nothing of the server, so they start fast.
const run = Object.hasOwn(DEVELOPER_COMMANDS, process.argv[2] ?? '')
  ? (await import('./cli/developer/run.ts')).runDeveloper
  : (await import('./cli/operator/run.ts')).runOperator
await run()
