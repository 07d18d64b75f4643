import { Modal, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { ApiKey, Domain, NewApiKey } from '../../api/records.ts'
import { canSend } from '../../api/send-domains.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone } from '../../ui/page/notifications.tsx'
import { readTime, toLocalInput } from '../../ui/times.ts'
import { NewKey } from './new-key.tsx'
import { texts } from './texts.ts'

interface KeyFormProps {
  isOpen: boolean
  onClose(): void
  /** Null for a new key. */
  apiKey: ApiKey | null
  domains: readonly Domain[]
}

const FIELDS = ['name', 'permission', 'domain_id', 'expires_at'] as const

/** Creates a key and shows its token once, or changes an existing key. */
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
        created !== null
          ? texts.keyForm.yourNewApiKey
          : apiKey === null
            ? texts.keyForm.createAnApiKey
            : texts.keyForm.changeTheApiKey
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
        <NewKey created={created} domain={domainOf(created, domains)} onClose={close} />
      )}
    </Modal>
  )
}

/** Returns the name of the key's own domain, else of one that can send; null for a team without domains. */
function domainOf({ domain_id: id }: ApiKey, domains: readonly Domain[]): string | null {
  const own = id === null ? (domains.find(canSend) ?? domains[0]) : domains.find((each) => each.id === id)
  return own?.name ?? null
}

interface FieldsProps extends Omit<KeyFormProps, 'isOpen'> {
  onCreated(key: NewApiKey): void
}

function Fields({ apiKey, domains, onClose, onCreated }: FieldsProps) {
  const form = useForm({ initialValues: valuesOf(apiKey) })
  const change = useChange<NewApiKey>({
    onError: (error) => showFieldErrors(form, error),
    onDone: (key) => {
      if (apiKey === null) return onCreated(key)
      notifyDone(texts.keyForm.apiKeyChanged)
      onClose()
    },
  })
  const submit = form.onSubmit((values) => {
    const body = bodyOf(values)
    if (apiKey === null) change.mutate({ path: '/api-keys', method: 'POST', body })
    else change.mutate({ path: `/api-keys/${apiKey.id}`, method: 'PATCH', body })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={texts.keyForm.name}
          description={texts.keyForm.teamProgramUsesKey}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Radio.Group label={texts.keyForm.permission} {...form.getInputProps('permission')}>
          <Permissions />
        </Radio.Group>
        <Select
          label={texts.keyForm.domain}
          description={texts.keyForm.limitsSendingOneDomain}
          data={[
            { value: '', label: texts.keyForm.anyDomainTeam },
            ...domains.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          allowDeselect={false}
          {...form.getInputProps('domain_id')}
        />
        <TextInput
          type="datetime-local"
          label={texts.keyForm.expires}
          description={texts.keyForm.localTimeLeaveEmpty}
          {...form.getInputProps('expires_at')}
        />
        <ErrorNote error={change.error} shownFields={FIELDS} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {apiKey === null ? texts.keyForm.createTheKey : texts.keyForm.save}
        </FormFooter>
      </Stack>
    </form>
  )
}

function Permissions() {
  return (
    <Stack gap="xs" mt="xs">
      <Radio value="send" label={texts.keyForm.sendOnly} description={texts.keyForm.sendEmailsReadEmail} />
      <Radio
        value="full"
        label={texts.keyForm.everything}
        description={texts.keyForm.wholeApiTemplatesContacts}
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
