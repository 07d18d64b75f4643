import { Modal, Radio, Select, Stack, TextInput } from '@mantine/core'
import type { ApiKey, Domain, NewApiKey } from '../../api/records.ts'
import { canSend } from '../../api/send-domains.ts'
import { useWhileOpen } from '../../ui/forms/dialog.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { saveRequest } from '../../ui/forms/save-request.ts'
import { LOCAL_TIME, readTime, toLocalInput } from '../../ui/times.ts'
import { NewKey } from './new-key.tsx'

interface KeyFormProps {
  isOpen: boolean
  onClose(): void
  /** Null for a new key. */
  apiKey: ApiKey | null
  domains: readonly Domain[]
}

/** Creates a key and shows its token once, or changes an existing key. */
export function KeyForm({ isOpen, onClose, apiKey, domains }: KeyFormProps) {
  const [newKey, setNewKey] = useWhileOpen<NewApiKey>(isOpen)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={newKey !== null ? 'Your new API key' : apiKey === null ? 'Create API key' : 'Edit API key'}
      size="lg"
      closeOnClickOutside={newKey === null}
    >
      {newKey === null ? (
        <Fields
          key={apiKey?.id ?? 'new'}
          apiKey={apiKey}
          domains={domains}
          onClose={onClose}
          onCreated={setNewKey}
        />
      ) : (
        <NewKey newKey={newKey} domain={domainOf(newKey, domains)} onClose={onClose} />
      )}
    </Modal>
  )
}

/** Returns the name of the key's own domain, else of one that can send; null for a team without domains. */
function domainOf({ domain_id: id }: ApiKey, domains: readonly Domain[]): string | null {
  const domain = id === null ? (domains.find(canSend) ?? domains[0]) : domains.find((each) => each.id === id)
  return domain?.name ?? null
}

interface FieldsProps extends Omit<KeyFormProps, 'isOpen'> {
  onCreated(key: NewApiKey): void
}

function Fields({ apiKey, domains, onClose, onCreated }: FieldsProps) {
  const { form, frame } = useDialogForm({
    initialValues: valuesOf(apiKey),
    requestOf: (values, before) =>
      saveRequest({ path: '/api-keys', id: apiKey?.id ?? null }, bodyOf(values), bodyOf(before)),
    onDone: apiKey === null ? onCreated : 'API key changed.',
    onClose,
  })
  return (
    <DialogForm {...frame} action={apiKey === null ? 'Create key' : 'Save'}>
      <TextInput
        label="Name"
        description="For your team: the program that uses this key."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Radio.Group label="Permission" {...form.getInputProps('permission')}>
        <Permissions />
      </Radio.Group>
      <Select
        label="Domain"
        description="Limits the key to one domain and its emails, without campaigns, automations and webhooks."
        data={[
          { value: '', label: 'Any domain of the team' },
          ...domains.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        allowDeselect={false}
        {...form.getInputProps('domain_id')}
      />
      <TextInput
        {...LOCAL_TIME}
        label="Expires"
        description="In your local time. Leave empty for a key that does not expire."
        {...form.getInputProps('expires_at')}
      />
    </DialogForm>
  )
}

function Permissions() {
  return (
    <Stack gap="xs" mt="xs">
      <Radio
        value="send"
        label="Send only"
        description="Send emails, and read an email by its ID. Enough for most programs."
      />
      <Radio
        value="full"
        label="Everything"
        description="The whole API: templates, contacts, domains, keys."
      />
    </Stack>
  )
}

function valuesOf(apiKey: ApiKey | null) {
  const expires = apiKey?.expires_at == null ? null : readTime(apiKey.expires_at)
  return {
    name: apiKey?.name ?? '',
    permission: apiKey?.permission ?? 'send',
    domain_id: apiKey?.domain_id ?? '',
    expires_at: expires === null ? '' : toLocalInput(expires),
  }
}

function bodyOf({ name, permission, domain_id, expires_at }: ReturnType<typeof valuesOf>) {
  return {
    name,
    permission,
    domain_id: domain_id === '' ? null : domain_id,
    expires_at: expires_at === '' ? null : new Date(expires_at).toISOString(),
  }
}
