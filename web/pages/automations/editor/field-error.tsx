import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** The message of the API about fields that have none of their own. */
export function FieldError({ children }: { children: ReactNode }) {
  if (children === undefined) return null
  return (
    <Text size="xs" c="var(--mantine-color-error)" role="alert">
      {children}
    </Text>
  )
}
