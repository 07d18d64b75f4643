import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNote } from './error-note.tsx'
import { Page } from './page.tsx'

interface PendingPageProps {
  /** The type of the resource, until its name is known. */
  title: string
  trail: readonly { label: string; to: string }[]
  /** Null while the request is pending. */
  error: unknown
  onRetry(): void
  /** Shown while the request is pending. Default: a skeleton. */
  children?: ReactNode
}

/** The page of a resource that is still loading or could not be loaded. */
export function PendingPage({ title, trail, error, onRetry, children }: PendingPageProps) {
  return (
    <Page title={title} trail={trail}>
      <ErrorNote error={error} onRetry={onRetry} />
      {error === null && (children ?? <Skeleton height={320} radius="md" aria-busy />)}
    </Page>
  )
}
