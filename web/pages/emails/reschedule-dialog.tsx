import { Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import type { EmailWhole } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { FormFooter } from '../../ui/form-footer.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { readTime, showLocal, toLocalInput } from '../../ui/times.ts'
import { readWhen, WhenField } from '../../ui/when-field.tsx'

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
  const date = readWhen(at)
  const move = useChange({
    onDone() {
      if (date !== null) tellDone(`It is sent ${showLocal(date)}.`)
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
