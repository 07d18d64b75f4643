import { Modal, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { ApiKey, Domain, NewApiKey } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormFooter } from '../../ui/form-footer.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { readTime, toLocalInput } from '../../ui/times.ts'
import { NewKey } from './new-key.tsx'

interface KeyFormProps {
  isOpen: boolean
  onClose(): void
  /** Null: a new one. */
  apiKey: ApiKey | null
  domains: readonly Domain[]
}

const FIELDS = ['name', 'permission', 'domain_id', 'expires_at'] as const

/** Creates a key, and shows it this once; or changes what a key may do. */
export function KeyForm({ isOpen, onClose, apiKey, domains }: KeyFormProps) {
  const [created, setCreated] = useState<NewApiKey | null>(null)
  const close = () => {
    onClose()
    setCreated(null)
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={
        created !== null ? 'Your new API key' : apiKey === null ? 'Create an API key' : 'Change the API key'
      }
      size="lg"
      closeOnClickOutside={created === null}
    >
      {created === null ? (
        <Fields
          key={apiKey?.id ?? 'new'}
          apiKey={apiKey}
          domains={domains}
          onClose={close}
          onCreated={setCreated}
        />
      ) : (
        <NewKey created={created} onClose={close} />
      )}
    </Modal>
  )
}

interface FieldsProps extends Omit<KeyFormProps, 'isOpen'> {
  onCreated(key: NewApiKey): void
}

function Fields({ apiKey, domains, onClose, onCreated }: FieldsProps) {
  const form = useForm({ initialValues: valuesOf(apiKey) })
  const change = useChange<NewApiKey>({
    onRefused: (error) => showFieldErrors(form, error),
    onDone: (key) => {
      if (apiKey === null) return onCreated(key)
      tellDone('The key is changed.')
      onClose()
    },
  })
  const submit = form.onSubmit(({ name, permission, domain_id: domain, expires_at: expires }) => {
    const body = {
      name,
      permission,
      domain_id: domain === '' ? null : domain,
      expires_at: expires === '' ? null : new Date(expires).toISOString(),
    }
    if (apiKey === null) change.mutate({ path: '/api-keys', method: 'POST', body })
    else change.mutate({ path: `/api-keys/${apiKey.id}`, method: 'PATCH', body })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="For people: which program uses it."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Radio.Group label="What it may do" {...form.getInputProps('permission')}>
          <Stack gap="xs" mt={6}>
            <Radio
              value="send"
              label="Send only"
              description="Send emails and read one by its id. Enough for most programs."
            />
            <Radio
              value="full"
              label="Everything"
              description="The whole API: templates, contacts, domains, keys."
            />
          </Stack>
        </Radio.Group>
        <Select
          label="Domain"
          description="Limits sending to one domain."
          data={[
            { value: '', label: 'Any of the team' },
            ...domains.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          allowDeselect={false}
          {...form.getInputProps('domain_id')}
        />
        <TextInput
          type="datetime-local"
          label="Expires"
          description="It stops working then. Empty: never. Your local time."
          {...form.getInputProps('expires_at')}
        />
        <ErrorNote error={change.error} shownFields={FIELDS} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {apiKey === null ? 'Create the key' : 'Save'}
        </FormFooter>
      </Stack>
    </form>
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
