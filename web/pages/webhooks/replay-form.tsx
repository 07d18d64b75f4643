import { Checkbox, Modal, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import type { WebhookReplay, WebhookWhole } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors, showUnreadable } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { readWhen } from '../../ui/forms/when-field.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { plural } from '../../ui/plural.ts'
import { LOCAL_TIME, toLocalInput } from '../../ui/times.ts'
import { EVENT_CHOICES } from './event-types.ts'

interface ReplayFormProps {
  isOpen: boolean
  onClose(): void
  webhook: WebhookWhole
}

const DAY_MS = 86_400_000

/** Sends the events of a period again. */
export function ReplayForm({ isOpen, onClose, webhook }: ReplayFormProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Replay events">
      <Fields webhook={webhook} onClose={onClose} />
    </Modal>
  )
}

/** What the requests of one replay have done. `cursor` leads to the next; null before the first. */
interface Progress {
  count: number
  cursor: string | null
}

const BEGINNING: Progress = { count: 0, cursor: null }

function Fields({ webhook, onClose }: Omit<ReplayFormProps, 'isOpen'>) {
  const [progress, setProgress] = useState(BEGINNING)
  const form = useForm({
    initialValues: newValues(),
    validate: { since: timeProblem, until: endProblem },
    onValuesChange: () => setProgress(BEGINNING),
  })
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const change = useChange<WebhookReplay>({
    onError: (error) => showFieldErrors(form, error),
    onDone: ({ count, cursor }) => {
      const next = { count: progress.count + count, cursor }
      setProgress(next)
      if (cursor !== null && isOpen.current) return replay(next)
      const queued = plural(
        next.count,
        '1 delivery queued again',
        `${next.count.toLocaleString()} deliveries queued again`,
      )
      notifyDone(cursor === null ? `${queued}.` : `${queued}. The rest was canceled.`)
      if (isOpen.current) onClose()
    },
  })
  /** One request creates a limited number of deliveries. After an error, the next one continues where that began. */
  const replay = ({ cursor }: Progress) => {
    const body = bodyOf(form.getValues(), cursor)
    change.mutate({ path: `/webhooks/${webhook.id}/replay`, method: 'POST', body })
  }
  const submit = form.onSubmit(() => replay(progress))
  return (
    <form
      onSubmit={(event) => (showUnreadable(event.currentTarget) ? event.preventDefault() : submit(event))}
      noValidate
    >
      <Stack gap="md">
        <TextInput {...LOCAL_TIME} label="Events since" required {...form.getInputProps('since')} />
        <TextInput
          {...LOCAL_TIME}
          label="To"
          description="Leave empty for the current time."
          {...form.getInputProps('until')}
        />
        <MultiSelect
          label="Events"
          description="Leave empty for all events that the endpoint receives."
          data={EVENT_CHOICES}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear events' }}
          {...form.getInputProps('types')}
        />
        <Checkbox
          label="Only events whose latest delivery failed permanently"
          {...form.getInputProps('only_failed', { type: 'checkbox' })}
        />
        {progress.count > 0 && (
          <Text size="sm" aria-live="polite">
            {progress.count.toLocaleString()} so far …
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

/** Initially, the events of the last day. */
const newValues = () => ({
  since: toLocalInput(new Date(Date.now() - DAY_MS)),
  until: '',
  types: [] as string[],
  only_failed: false,
})

const timeProblem = (value: string) => (readWhen(value) === null ? 'Choose a time.' : null)

const endProblem = (value: string) => (value === '' ? null : timeProblem(value))

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
