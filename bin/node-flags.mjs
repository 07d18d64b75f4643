/**
 * For a server that composes messages all day: most of what it allocates dies at once, and a larger nursery lets it die
 * there. Measured with 10 KB emails: 15 % less CPU of the Node process for a few MB more at rest.
 */
export const NODE_FLAGS = ['--min-semi-space-size=8', '--max-semi-space-size=64']

/**
 * Memory that glibc's malloc was given back goes back to the system at once: a large body or message is mapped by itself
 * (by default everything up to 32 MB stays in the process once one of that size was freed), and threads share two arenas.
 * Other systems ignore them.
 */
export const NODE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' }
