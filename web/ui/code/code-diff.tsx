import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { CodeMergeProps } from './code-merge.tsx'

const CodeMerge = lazy(async () => ({ default: (await import('./code-merge.tsx')).CodeMerge }))

/** Shows the differences between two texts. The library is loaded on first use. */
export function CodeDiff(props: CodeMergeProps) {
  return (
    <Suspense fallback={<Skeleton height={320} radius={0} />}>
      <CodeMerge {...props} />
    </Suspense>
  )
}
