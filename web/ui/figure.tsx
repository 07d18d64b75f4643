import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A number with its label. */
export function Figure({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="card" style={{ padding: 16, height: '100%' }}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text
        fz={24}
        fw={650}
        lh={1.3}
        style={{ fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' }}
        component="div"
      >
        {value}
      </Text>
      {note !== undefined && (
        <Text size="sm" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </div>
  )
}
