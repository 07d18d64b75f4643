import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Notifications } from '../../api/account-records.ts'
import { useChange } from '../../api/team.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { SendTest } from './send-test-alert.tsx'
import { texts } from './texts.ts'

const words = texts.notifications
const PATH = '/team/alert-webhook'

/** The URL that gets the team's alerts, for those who may change it. */
export function AlertWebhook({ webhook }: { webhook: Notifications['webhook'] }) {
  const form = useForm({ initialValues: { url: webhook?.url ?? '' } })
  const save = useChange({
    onDone: () => notifyDone(words.webhookSaved),
    onError: (error) => showFieldErrors(form, error),
  })
  const remove = useChange({ onDone: () => notifyDone(words.webhookDeleted), onError: notifyError })
  const submit = form.onSubmit((body) => save.mutate({ path: PATH, method: 'PUT', body }))
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={words.url}
          placeholder="https://hooks.slack.com/services/…"
          maw={640}
          {...form.getInputProps('url')}
        />
        {webhook !== null && (
          <div>
            <Text size="sm" fw={500}>
              {words.signingSecret}
            </Text>
            <CopyValue text={webhook.signing_secret} />
          </div>
        )}
        <ErrorNote error={save.error} shownFields={['url']} />
        <Group>
          <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
            {words.saveWebhook}
          </Button>
          {webhook !== null && <SendTest channel="webhook" />}
          {webhook !== null && (
            <Button
              variant="subtle"
              color="red"
              loading={remove.isPending}
              onClick={() => remove.mutate({ path: PATH, method: 'DELETE' })}
            >
              {words.deleteWebhook}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
