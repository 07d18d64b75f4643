import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import type { Campaign } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { readTime, showLocal, toLocalInput } from '../../ui/times.ts'

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
  const date = new Date(at)
  const isDate = !Number.isNaN(date.getTime())
  const change = useChange({
    onDone: () => {
      tellDone(`It is scheduled for ${showLocal(date)}.`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isDate) return
    const body = { status: 'scheduled', scheduled_at: date.toISOString() }
    change.mutate({ path: `/campaigns/${campaign.id}`, method: 'PATCH', body })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          type="datetime-local"
          label="When"
          description={`In your own time (${Intl.DateTimeFormat().resolvedOptions().timeZone})`}
          required
          data-autofocus
          value={at}
          error={change.error instanceof ApiError ? change.error.fields.scheduled_at?.join(' ') : undefined}
          onChange={(event) => setAt(event.currentTarget.value)}
        />
        {isDate && (
          <Text size="sm" c="dimmed">
            {date.toISOString().slice(0, 16).replace('T', ' ')} UTC
          </Text>
        )}
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
