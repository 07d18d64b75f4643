import { enableCompileCache } from 'node:module'

// The entry of a clone is JavaScript, because Node keeps the parser that strips types in memory once it has used it, 20 MB. With
// the cache on, Node strips each file only once and loads the parser only after a change.
enableCompileCache()
await import('../src/main.ts')
