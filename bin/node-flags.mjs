/**
 * V8's flags for a server that composes messages: most objects are short-lived, and a larger young generation collects them
 * before they are promoted. With emails of 10 KB, the process used 15% less CPU and a few MB more memory when idle. With a
 * maximum of 16 MB, reading a DSN of 1 MiB took half as long again as with 32 MB; 64 MB reads no faster, and adds to the peak
 * of large requests.
 *
 * The heap grows to three times its live size, instead of about twice, before all of it is collected. An email costs a twentieth
 * less, for 8 MB more at the peak (docs/adr/0050-cost-of-an-email.md).
 */
export const NODE_FLAGS = [
  '--min-semi-space-size=8',
  '--max-semi-space-size=32',
  '--heap-growing-percent=200',
]

/**
 * Settings of glibc's malloc, so that it returns large freed blocks to the system at once. It maps each block of 128 KiB and
 * more separately; by default that threshold grows up to 32 MB after such a block is freed. Threads share two arenas. Systems
 * without glibc ignore both variables.
 */
export const NODE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }
