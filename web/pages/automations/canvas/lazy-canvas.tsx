import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { GraphCanvasProps } from './graph-canvas.tsx'

const GraphCanvas = lazy(async () => ({ default: (await import('./graph-canvas.tsx')).GraphCanvas }))

/** The graph of an automation. Its library is loaded on first use. */
export function LazyGraphCanvas(props: GraphCanvasProps) {
  return (
    <Suspense fallback={<Skeleton height={400} />}>
      <GraphCanvas {...props} />
    </Suspense>
  )
}
