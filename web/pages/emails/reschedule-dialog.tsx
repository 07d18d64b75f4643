import { Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import type { EmailWhole } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { readWhen, WhenField } from '../../ui/forms/when-field.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { readTime, showLocal, toLocalInput } from '../../ui/times.ts'

interface DialogProps {
  email: EmailWhole
  opened: boolean
  onClose(): void
}

/** Changes the time of a scheduled email. */
export function RescheduleDialog({ email, opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Reschedule email">
      <RescheduleForm email={email} onClose={onClose} />
    </Modal>
  )
}

function RescheduleForm({ email, onClose }: Omit<DialogProps, 'opened'>) {
  const [at, setAt] = useState(() => {
    const scheduledAt = email.scheduled_at === null ? null : readTime(email.scheduled_at)
    return scheduledAt === null ? '' : toLocalInput(scheduledAt)
  })
  const date = readWhen(at)
  const move = useChange({
    onDone() {
      if (date !== null) notifyDone(`Email rescheduled for ${showLocal(date)}.`)
      onClose()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (date !== null)
          move.mutate({
            path: `/emails/${email.id}`,
            method: 'PATCH',
            body: { scheduled_at: date.toISOString() },
          })
      }}
    >
      <Stack gap="sm">
        <WhenField value={at} onChange={setAt} error={move.error} />
        <ErrorNote error={move.error} shownFields={['scheduled_at']} />
        <FormFooter onCancel={onClose} isPending={move.isPending}>
          Reschedule
        </FormFooter>
      </Stack>
    </form>
  )
}
