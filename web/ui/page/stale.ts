import { describeError } from '../../api/errors.ts'

/** Returns whether a part of the page is gone because the server was upgraded. */
export function isStale(error: unknown): boolean {
  return /dynamically imported module|module script failed|error loading/i.test(describeError(error))
}
