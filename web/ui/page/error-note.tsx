import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError, describeError, isSessionEnd } from '../../api/errors.ts'

interface ErrorNoteProps {
  /** Nothing is shown if this is null or undefined. */
  error: unknown
  /** Fields whose errors the form shows itself. Errors of other fields are listed here. */
  shownFields?: readonly string[]
  onRetry?: () => void
}

/** Shows the API's message for an error. */
export function ErrorNote({ error, shownFields = [], onRetry }: ErrorNoteProps) {
  // The dialog that asks the user to log in again says it.
  if (error === null || error === undefined || isSessionEnd(error)) return null
  const fields = error instanceof ApiError ? Object.entries(error.fields) : []
  const others = fields.filter(([field]) => !shownFields.includes(field)).flatMap(([, messages]) => messages)
  if (fields.length > 0 && others.length === 0) return null
  const message = others.length > 0 ? others.join(' ') : describeError(error)
  const wait = error instanceof ApiError ? error.retryAfterSeconds : null
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert" my="sm">
      {message}
      {wait !== null && !message.includes('retry after') && ` Try again in ${wait} s.`}
      {onRetry !== undefined && (
        <Button variant="subtle" size="compact-sm" ml="xs" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  )
}
