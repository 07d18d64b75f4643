import type { FieldErrors } from '../../lib/api-error.ts'

/** The limit on reported problems, and so on the work for a hostile body. */
const PROBLEMS_MAX = 100
const PATH_CHARS_MAX = 200

/** Collects the problems of a request by their paths, such as `steps.3.config.duration`. */
export class Problems {
  readonly #says = new Map<string, string>()

  /** @param says ends the sentence `The PATH field ...`, for example `is required.`; the first of a path counts */
  add(path: string, says: string): void {
    if (this.#says.size < PROBLEMS_MAX && !this.#says.has(path)) this.#says.set(path, says)
  }

  get isEmpty(): boolean {
    return this.#says.size === 0
  }

  get isFull(): boolean {
    return this.#says.size >= PROBLEMS_MAX
  }

  /** @param shownPath translates paths into those of the request, if it has another form than the graph */
  toErrors(shownPath: (path: string) => string = (path) => path): FieldErrors {
    const errors: FieldErrors = Object.create(null)
    for (const [path, says] of this.#says) {
      const shown = shorten(shownPath(path))
      errors[shown] ??= [`The ${shown} field ${says}`]
    }
    return errors
  }
}

function shorten(path: string): string {
  return path.length > PATH_CHARS_MAX
    ? `${path.slice(0, PATH_CHARS_MAX).toWellFormed()}...`
    : path.toWellFormed()
}
