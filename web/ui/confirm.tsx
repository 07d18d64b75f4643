import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

interface Question {
  title: string
  /** What is lost, and whether it can be had again. */
  children: ReactNode
  /** A verb: what the button does. */
  action: string
  onConfirm(): void
  isDangerous?: boolean
}

/** Asks before something is done that cannot be undone. */
export function confirm({ title, children, action, onConfirm, isDangerous = true }: Question): void {
  modals.openConfirmModal({
    title,
    children: (
      <Text size="sm" component="div">
        {children}
      </Text>
    ),
    labels: { confirm: action, cancel: 'Cancel' },
    confirmProps: isDangerous ? { color: 'red' } : {},
    onConfirm,
  })
}
