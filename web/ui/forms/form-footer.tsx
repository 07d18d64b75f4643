import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

interface FormFooterProps {
  onCancel(): void
  /** The label of the submit button: a verb. */
  children: ReactNode
  isPending: boolean
  isDisabled?: boolean
  isDangerous?: boolean
}

/** The buttons of a dialog's form: cancel and submit. */
export function FormFooter({
  onCancel,
  children,
  isPending,
  isDisabled = false,
  isDangerous = false,
}: FormFooterProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        type="submit"
        loading={isPending}
        disabled={isDisabled}
        {...(isDangerous ? { color: 'red' } : {})}
      >
        {children}
      </Button>
    </Group>
  )
}
