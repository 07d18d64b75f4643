import { Button, Group, Modal, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Campaign } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { readTime, showLocal, toLocalInput } from '../../ui/times.ts'
import { readWhen, WhenField } from '../../ui/when-field.tsx'

interface ScheduleDialogProps {
  campaign: Campaign
  isOpen: boolean
  onClose(): void
}

const DAY_MS = 86_400_000

/** From draft to scheduled: what is missing for that, the API says. */
export function ScheduleDialog({ campaign, isOpen, onClose }: ScheduleDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Schedule the campaign">
      <Fields campaign={campaign} onClose={onClose} />
    </Modal>
  )
}

function Fields({ campaign, onClose }: Omit<ScheduleDialogProps, 'isOpen'>) {
  const [at, setAt] = useState(() => toLocalInput(firstTime(campaign)))
  const date = readWhen(at)
  const change = useChange({
    onDone: () => {
      if (date !== null) tellDone(`It is scheduled for ${showLocal(date)}.`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (date === null) return
    const body = { status: 'scheduled', scheduled_at: date.toISOString() }
    change.mutate({ path: `/campaigns/${campaign.id}`, method: 'PATCH', body })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <WhenField value={at} onChange={setAt} error={change.error} />
        <ErrorNote error={change.error} shownFields={['scheduled_at']} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Leave it a draft
          </Button>
          <Button type="submit" loading={change.isPending}>
            Schedule
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The time that it had, or tomorrow. */
function firstTime({ scheduled_at }: Campaign): Date {
  const before = scheduled_at === null ? null : readTime(scheduled_at)
  return before !== null && before.getTime() > Date.now() ? before : new Date(Date.now() + DAY_MS)
}
