/**
 * Idle lanes of a site; a lane runs one connection. The last lane to become idle gets work first, so that the
 * connections of the others can time out.
 */
export class IdleLanes {
  readonly #wakes: ((isWork: boolean) => void)[] = []

  get size(): number {
    return this.#wakes.length
  }

  /** Resolves to true when there is work, or to false after `ms` or after `endAll`. */
  wait(ms: number): Promise<boolean> {
    return new Promise<boolean>((resolve) => {
      const wake = (isWork: boolean) => {
        clearTimeout(timer)
        resolve(isWork)
      }
      const timer = setTimeout(() => {
        this.#wakes.splice(this.#wakes.indexOf(wake), 1)
        resolve(false)
      }, ms)
      this.#wakes.push(wake)
    })
  }

  wakeOne(): void {
    this.#wakes.pop()?.(true)
  }

  endAll(): void {
    for (const wake of this.#wakes.splice(0)) wake(false)
  }
}
