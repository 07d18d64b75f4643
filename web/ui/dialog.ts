import { useNavigate, useSearch } from '@tanstack/react-router'

export interface Dialog {
  isOpen: boolean
  /** What the address says of it: an id, or `true`. */
  value: string | null
  open(value?: string): void
  close(): void
}

/**
 * A dialog that stands in the page's address (`?new=true`): a link opens it, and going back closes it. `isAllowed`: whether
 * the reader may do what it is for; for others a link opens nothing.
 */
export function useDialog(name: string, isAllowed = true): Dialog {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const set = (value: string | undefined) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, [name]: value })) as never })
  const value = isAllowed ? search[name] : undefined
  return {
    isOpen: value !== undefined,
    value: value === undefined ? null : String(value),
    open: (given = 'true') => set(given),
    close: () => set(undefined),
  }
}
