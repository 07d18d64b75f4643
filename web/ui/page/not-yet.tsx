import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** States what this version does not do yet. */
export function NotYet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert color="blue" icon={<IconInfoCircle />} title={title} mb="md">
      {children}
    </Alert>
  )
}
