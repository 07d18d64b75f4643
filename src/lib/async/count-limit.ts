/**
 * Limits how often each key may do something in a time window. Kept in memory: for abuse that is annoying rather than
 * dangerous.
 */
export interface CountLimit {
  /** Returns whether the key is below its limit, and counts it if so. */
  admit(key: string, nowMs: number): boolean
}

export interface CountLimitOptions {
  countMax: number
  windowMs: number
  /** Beyond this number the oldest key is forgotten. */
  keysMax: number
}

export function createCountLimit({ countMax, windowMs, keysMax }: CountLimitOptions): CountLimit {
  const windows = new Map<string, { count: number; endsAtMs: number }>()
  return {
    admit(key, nowMs) {
      const window = windows.get(key)
      // A clock that stepped back must not block a key.
      if (window !== undefined && nowMs < window.endsAtMs && window.endsAtMs <= nowMs + windowMs) {
        if (window.count >= countMax) return false
        window.count++
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
