import { Button, Group, Modal, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Campaign } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { readWhen, WhenField } from '../../ui/forms/when-field.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { readTime, showLocal, toLocalInput } from '../../ui/times.ts'
import { ScheduleEstimate } from './schedule-estimate.tsx'

interface ScheduleDialogProps {
  campaign: Campaign
  isOpen: boolean
  onClose(): void
  /** Saves what the page shows. Resolves to whether it succeeded. */
  saveFirst(): Promise<boolean>
}

const DAY_MS = 86_400_000

/** Schedules a draft. The API reports what is missing. */
export function ScheduleDialog({ isOpen, ...rest }: ScheduleDialogProps) {
  return (
    <Modal opened={isOpen} onClose={rest.onClose} title="Schedule campaign">
      <Fields {...rest} />
    </Modal>
  )
}

function Fields({ campaign, onClose, saveFirst }: Omit<ScheduleDialogProps, 'isOpen'>) {
  const [at, setAt] = useState(() => toLocalInput(firstTime(campaign)))
  const date = readWhen(at)
  const change = useChange({
    onDone: () => {
      if (date !== null) notifyDone(`Campaign scheduled for ${showLocal(date)}.`)
      onClose()
    },
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (date === null) return
    // Back and Forward open the dialog without a save.
    if (!(await saveFirst())) return onClose()
    const body = { status: 'scheduled', scheduled_at: date.toISOString() }
    change.mutate({ path: `/campaigns/${campaign.id}`, method: 'PATCH', body })
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <WhenField value={at} onChange={setAt} error={change.error} />
        <ScheduleEstimate campaign={campaign} at={date} />
        <ErrorNote error={change.error} shownFields={['scheduled_at']} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Keep as draft
          </Button>
          <Button type="submit" loading={change.isPending}>
            Schedule
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Returns the scheduled time, or tomorrow. */
function firstTime({ scheduled_at }: Campaign): Date {
  const before = scheduled_at === null ? null : readTime(scheduled_at)
  return before !== null && before.getTime() > Date.now() ? before : new Date(Date.now() + DAY_MS)
}
