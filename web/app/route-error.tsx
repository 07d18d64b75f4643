import { Box, Button, Title } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { isServerUp } from '../api/connection.ts'
import { ApiError } from '../api/errors.ts'
import { ErrorNote } from '../ui/page/error-note.tsx'
import { isStale } from '../ui/page/stale.ts'
import { PageCodeError } from './lazy-page.ts'
import { NotFound } from './not-found.tsx'

const RETRY_MS = 3_000

/** Shown in place of a page that failed to render. A page whose code is missing opens once the server is back. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = useCallback(async () => {
    if (error instanceof PageCodeError) {
      if (!(await isServerUp())) return
      await error.load()
    }
    reset()
    void router.invalidate()
  }, [error, reset, router])
  useEffect(() => {
    if (!(error instanceof PageCodeError)) return
    const timer = window.setInterval(() => void retry(), RETRY_MS)
    return () => window.clearInterval(timer)
  }, [error, retry])
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <Box maw={560} mx="auto" my="xl" px="md">
      <Title order={1}>This page could not be shown</Title>
      <ErrorNote error={error} onRetry={() => void retry()} />
      {isStale(error) && <Button onClick={() => void reload()}>Load the new version</Button>}
    </Box>
  )
}

async function reload(): Promise<void> {
  if (await isServerUp()) window.location.reload()
}
