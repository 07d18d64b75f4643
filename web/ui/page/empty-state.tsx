import { Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export interface EmptyStateProps {
  icon: Icon
  title: string
  /** Explains the purpose of the page and how to add the first record. */
  children: ReactNode
  action?: ReactNode
  /** Whether this is the whole page, and has its only heading. */
  isPage?: boolean
}

/** Shown in place of an empty list. */
export function EmptyState({ icon: Glyph, title, children, action, isPage = false }: EmptyStateProps) {
  return (
    <div className="empty">
      <Glyph aria-hidden />
      <Title order={isPage ? 1 : 2}>{title}</Title>
      <div>{children}</div>
      {action !== undefined && <div className="actions empty-action">{action}</div>}
    </div>
  )
}
