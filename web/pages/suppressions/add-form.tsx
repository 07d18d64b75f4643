import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ApiError } from '../../api/errors.ts'
import { useChange } from '../../api/team.ts'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { plural } from '../../ui/plural.ts'

interface AddFormProps {
  isOpen: boolean
  onClose(): void
}

/** The API's limit per request. */
const COUNT_MAX = 1_000

/** Suppresses many addresses in one request: all of them or none. */
export function AddForm({ isOpen, onClose }: AddFormProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Suppress addresses">
      <Fields onClose={onClose} />
    </Modal>
  )
}

function Fields({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: { addresses: '' } })
  const emails = splitAddresses(form.values.addresses)
  const change = useChange({
    onError: (error) => form.setErrors(errorsOf(error, emails)),
    onDone: () => {
      notifyDone(plural(emails.length, 'Address suppressed.', `${emails.length} addresses suppressed.`))
      onClose()
    },
  })
  const submit = form.onSubmit(() =>
    change.mutate({ path: '/suppressions/batch/add', method: 'POST', body: { emails } }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Textarea
          label="Addresses"
          description={`One per line, or separated by commas. At most ${COUNT_MAX.toLocaleString()}.`}
          autosize
          minRows={5}
          maxRows={14}
          required
          data-autofocus
          {...form.getInputProps('addresses')}
        />
        {form.errors.addresses === undefined && <ErrorNote error={change.error} />}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" aria-live="polite">
            {plural(emails.length, '1 address', `${emails.length.toLocaleString()} addresses`)}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Suppress addresses
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}

const splitAddresses = (text: string) =>
  text
    .split(/[\n,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Returns the form errors for an API error. Shows the address in place of the index that the API returns. */
function errorsOf(error: Error, emails: readonly string[]): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const [first] = Object.entries(error.fields)
  if (first === undefined) return {}
  const [field, messages] = first
  const index = /^emails\.(\d+)$/.exec(field)?.[1]
  return {
    addresses: index === undefined ? messages.join(' ') : `${emails[Number(index)]}: ${messages.join(' ')}`,
  }
}
