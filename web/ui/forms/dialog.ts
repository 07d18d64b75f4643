import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

export interface Dialog {
  isOpen: boolean
  /** The value in the address: an id, or `true`. */
  value: string | null
  open(value?: string): void
  close(): void
}

/**
 * A dialog whose state is in the page's address (`?new=true`), so a link opens it and Back closes it. For users who may
 * not use the dialog (`isAllowed`), links do not open it.
 */
export function useDialog(name: string, isAllowed = true): Dialog {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const setValue = (value: string | undefined) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, [name]: value })) as never })
  const value = isAllowed ? search[name] : undefined
  return {
    isOpen: value !== undefined,
    value: value === undefined ? null : String(value),
    open: (value = 'true') => setValue(value),
    close: () => setValue(undefined),
  }
}

/** State of a dialog that is forgotten as soon as the dialog is closed, also by Back. Secrets are shown only once. */
export function useWhileOpen<T>(isOpen: boolean): [T | null, (value: T | null) => void] {
  const [value, setValue] = useState<T | null>(null)
  // The value may also arrive after the dialog was closed.
  useEffect(() => {
    if (!isOpen && value !== null) setValue(null)
  }, [isOpen, value])
  return [value, setValue]
}
