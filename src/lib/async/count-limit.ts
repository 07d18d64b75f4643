/** Lets each key do something so often in a while. Kept in memory: for what is annoying rather than dangerous. */
export interface CountLimit {
  /** Whether it may once more; counts it if so. */
  admit(key: string, nowMs: number): boolean
}

export interface CountLimitOptions {
  countMax: number
  windowMs: number
  /** Beyond so many keys the oldest is forgotten. */
  keysMax: number
}

export function createCountLimit({ countMax, windowMs, keysMax }: CountLimitOptions): CountLimit {
  const windows = new Map<string, { count: number; endsAtMs: number }>()
  return {
    admit(key, nowMs) {
      const known = windows.get(key)
      // A clock that jumped back must not hold the door shut.
      if (known !== undefined && nowMs < known.endsAtMs && known.endsAtMs <= nowMs + windowMs) {
        if (known.count >= countMax) return false
        known.count++
        return true
      }
      windows.delete(key)
      const [oldest] = windows.keys()
      if (windows.size >= keysMax && oldest !== undefined) windows.delete(oldest)
      windows.set(key, { count: 1, endsAtMs: nowMs + windowMs })
      return true
    },
  }
}
