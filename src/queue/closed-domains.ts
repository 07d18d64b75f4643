/** Reports of a process that has not reported for this long do not count, and are deleted soon afterwards. */
export const REPORT_VALID_MS = 15_000

/** Stands for every domain in a process's report, because it sends all mail to relays that are closed. */
export const ALL_DOMAINS = '*'
