import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'

interface BulkBarProps {
  count: number
  onClear(): void
  /** The buttons of the actions. */
  children: ReactNode
}

/** The actions on the chosen rows, at the lower edge of the window. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  return (
    <section className="bulk-bar" aria-label={texts.tables.selected}>
      <Text span size="sm" fw={500} role="status">
        {texts.tables.chosen(count)}
      </Text>
      {children}
      <Button variant="subtle" onClick={onClear}>
        {texts.tables.clear}
      </Button>
    </section>
  )
}
