import { Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Passkey } from '../../api/account-records.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { useAccountChange } from './use-account-change.ts'

/** @param passkey null while the dialog is closed */
export function RenamePasskey({ passkey, onClose }: { passkey: Passkey | null; onClose(): void }) {
  return (
    <Modal opened={passkey !== null} onClose={onClose} title="Rename passkey">
      {passkey !== null && <Fields key={passkey.id} passkey={passkey} onClose={onClose} />}
    </Modal>
  )
}

function Fields({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const form = useForm({ initialValues: { name: passkey.name } })
  const rename = useAccountChange({ onDone: onClose, onError: (error) => showFieldErrors(form, error) })
  const submit = form.onSubmit((body) =>
    rename.mutate({ path: `/account/passkeys/${passkey.id}`, method: 'PATCH', body }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" data-autofocus maxLength={100} {...form.getInputProps('name')} />
        <ErrorNote error={rename.error} shownFields={['name']} />
        <FormFooter onCancel={onClose} isPending={rename.isPending}>
          Save
        </FormFooter>
      </Stack>
    </form>
  )
}
