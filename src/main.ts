import { enableCompileCache } from 'node:module'

// Node strips the types of each file at every start unless it may keep the result: with the cache a start is half a
// second shorter and the process 25 MB smaller. Everything else is imported after it is on.
enableCompileCache()
const { run } = await import('./cli/run.ts')
await run()
