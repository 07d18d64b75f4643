import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

export interface Question {
  title: string
  /** Explains what is lost, and whether it can be restored. */
  children: ReactNode
  /** The label of the button: a verb. */
  action: string
  onConfirm(): void
  /** Called when the dialog closes, also after `onConfirm`. */
  onClose?: () => void
  isDangerous?: boolean
}

/** Asks for confirmation before an action that cannot be undone. */
export function confirm({ title, children, action, onConfirm, onClose, isDangerous = true }: Question): void {
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
    ...(onClose === undefined ? {} : { onClose }),
  })
}
