import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface BulkBarProps {
  count: number
  onClear(): void
  /** The buttons of the actions. */
  children: ReactNode
}

/** The actions on the chosen rows, at the lower edge of the window. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  return (
    <section className="bulk-bar" aria-label="Selected rows">
      <Text span size="sm" fw={500} role="status">
        {count.toLocaleString()} selected
      </Text>
      {children}
      <Button variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
    </section>
  )
}
