import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** Says honestly what this version does not do. */
export function NotYet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert color="blue" icon={<IconInfoCircle size={18} />} title={title} mb="md">
      {children}
    </Alert>
  )
}
