export function reportLeftovers(report: string, leftovers: readonly string[]): void
export function readFailures(report: string, lastLines: readonly string[]): string[]
