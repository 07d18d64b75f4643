import { useRef, useState } from 'react'

interface OneAttempt {
  isRunning: boolean
  /** Resolves to what `work` resolves to; at once to false while another attempt runs. */
  attempt(work: () => Promise<boolean>): Promise<boolean>
}

/** Runs one attempt at a time, for saving that takes several requests. A second press of the button does nothing. */
export function useOneAttempt(): OneAttempt {
  const [isRunning, setIsRunning] = useState(false)
  // The state of the page follows only with its next rendering.
  const isBusy = useRef(false)
  const attempt = async (work: () => Promise<boolean>) => {
    if (isBusy.current) return false
    isBusy.current = true
    setIsRunning(true)
    try {
      return await work()
    } finally {
      isBusy.current = false
      setIsRunning(false)
    }
  }
  return { isRunning, attempt }
}
