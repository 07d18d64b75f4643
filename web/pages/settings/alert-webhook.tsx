import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Notifications } from '../../api/account-records.ts'
import { useChange } from '../../api/team.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { SendTest } from './send-test-alert.tsx'

const PATH = '/team/alert-webhook'

/** The URL that gets the team's alerts, for those who may change it. */
export function AlertWebhook({ webhook }: { webhook: Notifications['webhook'] }) {
  const form = useForm({ initialValues: { url: webhook?.url ?? '' } })
  const save = useChange({
    onDone: () => notifyDone('Alert webhook saved.'),
    onError: (error) => showFieldErrors(form, error),
  })
  const remove = useChange({ onDone: () => notifyDone('Alert webhook deleted.'), onError: notifyError })
  const submit = form.onSubmit((body) => save.mutate({ path: PATH, method: 'PUT', body }))
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Webhook URL"
          placeholder="https://hooks.slack.com/services/…"
          maw={640}
          {...form.getInputProps('url')}
        />
        {webhook !== null && (
          <div>
            <Text size="sm" fw={500}>
              Signing secret
            </Text>
            <CopyValue text={webhook.signing_secret} />
          </div>
        )}
        <ErrorNote error={save.error} shownFields={['url']} />
        <Group>
          <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
            Save webhook
          </Button>
          {webhook !== null && <SendTest channel="webhook" />}
          {webhook !== null && (
            <Button
              variant="subtle"
              color="red"
              loading={remove.isPending}
              onClick={() => remove.mutate({ path: PATH, method: 'DELETE' })}
            >
              Delete webhook
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
