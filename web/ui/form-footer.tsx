import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

interface FormFooterProps {
  onCancel(): void
  /** A verb: what the button does. */
  children: ReactNode
  isPending: boolean
  isDisabled?: boolean
  isDangerous?: boolean
}

/** The end of a form that is not a page of its own: away from it, or on. */
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
