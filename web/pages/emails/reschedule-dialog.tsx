import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import type { EmailWhole } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { FormFooter } from '../../ui/form-footer.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { readTime, showLocal, toLocalInput } from '../../ui/times.ts'

interface DialogProps {
  email: EmailWhole
  opened: boolean
  onClose(): void
}

/** Moves a scheduled email to another time. */
export function RescheduleDialog({ email, opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Send it at another time">
      <RescheduleForm email={email} onClose={onClose} />
    </Modal>
  )
}

function RescheduleForm({ email, onClose }: Omit<DialogProps, 'opened'>) {
  const [at, setAt] = useState(() => {
    const scheduled = email.scheduled_at === null ? null : readTime(email.scheduled_at)
    return scheduled === null ? '' : toLocalInput(scheduled)
  })
  const date = new Date(at)
  const isDate = !Number.isNaN(date.getTime())
  const move = useChange({
    onDone() {
      tellDone(`It is sent ${showLocal(date)}.`)
      onClose()
    },
  })
  const fieldError = move.error instanceof ApiError ? move.error.fields.scheduled_at?.join(' ') : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isDate)
          move.mutate({
            path: `/emails/${email.id}`,
            method: 'PATCH',
            body: { scheduled_at: date.toISOString() },
          })
      }}
    >
      <Stack gap="sm">
        <TextInput
          type="datetime-local"
          label="When"
          description={`In your own time (${Intl.DateTimeFormat().resolvedOptions().timeZone})`}
          required
          data-autofocus
          value={at}
          error={fieldError}
          onChange={(event) => setAt(event.currentTarget.value)}
        />
        {isDate && (
          <Text size="sm" c="dimmed">
            {date.toISOString().slice(0, 16).replace('T', ' ')} UTC
          </Text>
        )}
        <ErrorNote error={move.error} shownFields={['scheduled_at']} />
        <FormFooter onCancel={onClose} isPending={move.isPending}>
          Reschedule
        </FormFooter>
      </Stack>
    </form>
  )
}
