/** A wake-up that is remembered until it is consumed, so that none is lost between two waits. */
export interface Signal {
  notify(): void
  /** Resolves at the next notify (or at once, if there was one since the last wait), or after `timeoutMs`. */
  wait(timeoutMs: number): Promise<void>
}

export function createSignal(): Signal {
  let pending = false
  let wake: (() => void) | null = null
  return {
    notify() {
      pending = true
      wake?.()
    },
    async wait(timeoutMs) {
      if (!pending) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wake = null
      }
      pending = false
    },
  }
}
