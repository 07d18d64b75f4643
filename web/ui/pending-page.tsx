import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNote } from './error-note.tsx'
import { Page } from './page.tsx'

interface PendingPageProps {
  /** What kind of thing it is: its name is not known yet. */
  title: string
  trail: readonly { label: string; to: string }[]
  /** Null: it is still being read. */
  error: unknown
  onRetry(): void
  /** In place of it while it is being read. */
  children?: ReactNode
}

/** The page of one thing, until that is there or is known not to come. */
export function PendingPage({ title, trail, error, onRetry, children }: PendingPageProps) {
  return (
    <Page title={title} trail={trail}>
      <ErrorNote error={error} onRetry={onRetry} />
      {error === null && (children ?? <Skeleton height={320} radius="md" aria-busy />)}
    </Page>
  )
}
