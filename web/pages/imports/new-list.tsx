import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { ContactList } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'

/** Creates a list for the rows of a file. */
export function NewList({ onDone }: { onDone(list: ContactList): void }) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconPlus />} onClick={open}>
        Create list
      </Button>
      <Modal opened={isOpen} onClose={close} title="Create list">
        <Fields
          onClose={close}
          onDone={(list) => {
            onDone(list)
            close()
          }}
        />
      </Modal>
    </>
  )
}

function Fields({ onDone, onClose }: { onDone(list: ContactList): void; onClose(): void }) {
  const form = useForm({ initialValues: { name: '' } })
  const change = useChange<ContactList>({ onError: (error) => showFieldErrors(form, error), onDone })
  return (
    <form
      onSubmit={form.onSubmit((body) => change.mutate({ path: '/lists', method: 'POST', body }))}
      noValidate
    >
      <Stack>
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <ErrorNote error={change.error} shownFields={['name']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          Create list
        </FormFooter>
      </Stack>
    </form>
  )
}
