import { Checkbox, Modal, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { WebhookReplay, WebhookWhole } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone } from '../../ui/page/notifications.tsx'
import { toLocalInput } from '../../ui/times.ts'
import { EVENT_CHOICES } from './event-types.ts'
import { texts } from './texts.ts'

interface ReplayFormProps {
  isOpen: boolean
  onClose(): void
  webhook: WebhookWhole
}

const DAY_MS = 86_400_000

/** Sends the events of a period again. */
export function ReplayForm({ isOpen, onClose, webhook }: ReplayFormProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={texts.replayForm.replayEvents}>
      <Fields webhook={webhook} onClose={onClose} />
    </Modal>
  )
}

function Fields({ webhook, onClose }: Omit<ReplayFormProps, 'isOpen'>) {
  const form = useForm({ initialValues: newValues() })
  const [made, setMade] = useState(0)
  const change = useChange<WebhookReplay>({
    onError: (error) => showFieldErrors(form, error),
    onDone: ({ count, cursor }) => {
      const sum = made + count
      setMade(sum)
      if (cursor !== null) return replay(cursor)
      notifyDone(texts.replayForm.deliveriesQueuedAgain(sum))
      onClose()
    },
  })
  /** One request creates a limited number of deliveries and returns the cursor for the next. */
  const replay = (cursor: string | null) => {
    const body = bodyOf(form.getValues(), cursor)
    change.mutate({ path: `/webhooks/${webhook.id}/replay`, method: 'POST', body })
  }
  return (
    <form onSubmit={form.onSubmit(() => replay(null))} noValidate>
      <Stack gap="md">
        <TextInput
          type="datetime-local"
          label={texts.replayForm.eventsSince}
          required
          {...form.getInputProps('since')}
        />
        <TextInput
          type="datetime-local"
          label={texts.replayForm.until}
          description={texts.replayForm.leaveEmptyCurrentTime}
          {...form.getInputProps('until')}
        />
        <MultiSelect
          label={texts.replayForm.events}
          description={texts.replayForm.leaveEmptyAllEvents}
          data={EVENT_CHOICES}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': texts.replayForm.clearTheEvents }}
          {...form.getInputProps('types')}
        />
        <Checkbox
          label={texts.replayForm.onlyEventsWhoseLatest}
          {...form.getInputProps('only_failed', { type: 'checkbox' })}
        />
        {made > 0 && (
          <Text size="sm" aria-live="polite">
            {texts.replayForm.soFar(made.toLocaleString())}
          </Text>
        )}
        <ErrorNote error={change.error} shownFields={['since', 'until', 'types']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {texts.replayForm.replay}
        </FormFooter>
      </Stack>
    </form>
  )
}

/** Initially, the events of the last day. */
const newValues = () => ({
  since: toLocalInput(new Date(Date.now() - DAY_MS)),
  until: '',
  types: [] as string[],
  only_failed: false,
})

const bodyOf = (
  { since, until, types, only_failed }: ReturnType<typeof newValues>,
  cursor: string | null,
) => ({
  since: new Date(since).toISOString(),
  ...(until === '' ? {} : { until: new Date(until).toISOString() }),
  ...(types.length === 0 ? {} : { types }),
  ...(cursor === null ? {} : { cursor }),
  only_failed,
})
