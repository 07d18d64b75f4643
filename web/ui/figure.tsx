import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A number with its label. */
export function Figure({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="card figure">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className="figure-value">{value}</div>
      {note !== undefined && (
        <Text size="sm" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </div>
  )
}
