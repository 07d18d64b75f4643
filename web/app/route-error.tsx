import { Box, Button, Title } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiError } from '../api/errors.ts'
import { ErrorNote } from '../ui/page/error-note.tsx'
import { isStale } from '../ui/page/stale.ts'
import { NotFound } from './not-found.tsx'
import { texts } from './texts.ts'

/** Shown in place of a page that failed to render. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Box maw={560} mx="auto" my="xl" px="md">
      <Title order={1}>{texts.routeError.pageCouldNotShown}</Title>
      <ErrorNote error={error} onRetry={retry} />
      {isStale(error) && (
        <Button onClick={() => window.location.reload()}>{texts.routeError.loadTheNewVersion}</Button>
      )}
    </Box>
  )
}
