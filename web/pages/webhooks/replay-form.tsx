import { Checkbox, Modal, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { WebhookReplay, WebhookWhole } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormFooter } from '../../ui/form-footer.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { toLocalInput } from '../../ui/times.ts'
import { EVENT_CHOICES } from './event-types.ts'

interface ReplayFormProps {
  isOpen: boolean
  onClose(): void
  webhook: WebhookWhole
}

const DAY_MS = 86_400_000

/** Sends again what happened in a stretch of time. */
export function ReplayForm({ isOpen, onClose, webhook }: ReplayFormProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Replay events">
      <Fields webhook={webhook} onClose={onClose} />
    </Modal>
  )
}

function Fields({ webhook, onClose }: Omit<ReplayFormProps, 'isOpen'>) {
  const form = useForm({
    initialValues: {
      since: toLocalInput(new Date(Date.now() - DAY_MS)),
      until: '',
      types: [] as string[],
      only_failed: false,
    },
  })
  const [made, setMade] = useState(0)
  const change = useChange<WebhookReplay>({
    onRefused: (error) => showFieldErrors(form, error),
    onDone: ({ count, cursor }) => {
      const sum = made + count
      setMade(sum)
      if (cursor !== null) return replay(cursor)
      tellDone(sum === 1 ? '1 delivery is sent again.' : `${sum.toLocaleString()} deliveries are sent again.`)
      onClose()
    },
  })
  /** A call makes so many at most, and says where the next goes on. */
  const replay = (cursor: string | null) => {
    const { since, until, types, only_failed } = form.getValues()
    const body = {
      since: new Date(since).toISOString(),
      ...(until === '' ? {} : { until: new Date(until).toISOString() }),
      ...(types.length === 0 ? {} : { types }),
      ...(cursor === null ? {} : { cursor }),
      only_failed,
    }
    change.mutate({ path: `/webhooks/${webhook.id}/replay`, method: 'POST', body })
  }
  return (
    <form onSubmit={form.onSubmit(() => replay(null))} noValidate>
      <Stack gap="md">
        <TextInput type="datetime-local" label="Events since" required {...form.getInputProps('since')} />
        <TextInput
          type="datetime-local"
          label="Until"
          description="Empty: until now."
          {...form.getInputProps('until')}
        />
        <MultiSelect
          label="Events"
          description="Empty: those that it is told of."
          data={EVENT_CHOICES}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the events' }}
          {...form.getInputProps('types')}
        />
        <Checkbox
          label="Only those whose newest delivery failed for good"
          {...form.getInputProps('only_failed', { type: 'checkbox' })}
        />
        {made > 0 && (
          <Text size="sm" aria-live="polite">
            {made.toLocaleString()} so far …
          </Text>
        )}
        <ErrorNote error={change.error} shownFields={['since', 'until', 'types']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          Replay
        </FormFooter>
      </Stack>
    </form>
  )
}
