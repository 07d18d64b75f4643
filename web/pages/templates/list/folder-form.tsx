import { Box, Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import type { TemplateFolder } from '../../../api/records.ts'
import { useChange, useMay, useTeam } from '../../../api/team.ts'
import { useDialog } from '../../../ui/forms/dialog.ts'
import { showFieldErrors } from '../../../ui/forms/form-errors.ts'
import { FormFooter } from '../../../ui/forms/form-footer.tsx'
import { notifyDone } from '../../../ui/notifications.tsx'
import { ErrorNote } from '../../../ui/page/error-note.tsx'

/** Creates a folder (`?edit_folder=new`) or renames one (`?edit_folder=<id>`). */
export function FolderForm({ folders }: { folders: readonly TemplateFolder[] }) {
  const { value, isOpen, close } = useDialog('edit_folder', useMay().change('Template folders'))
  const folder = folders.find(({ id }) => id === value) ?? null
  return (
    <Modal opened={isOpen} onClose={close} title={folder === null ? 'New folder' : 'Rename folder'}>
      {isOpen && <Form key={value} folder={folder} onClose={close} />}
    </Modal>
  )
}

function Form({ folder, onClose }: { folder: TemplateFolder | null; onClose: () => void }) {
  const team = useTeam()
  const navigate = useNavigate()
  const form = useForm({ initialValues: { name: folder?.name ?? '' } })
  const change = useChange<TemplateFolder>()
  const save = (body: { name: string }) =>
    change.mutate(
      folder === null
        ? { method: 'POST', path: '/template-folders', body }
        : { method: 'PUT', path: `/template-folders/${folder.id}`, body },
      {
        onError: (error) => showFieldErrors(form, error),
        onSuccess: ({ id }) => {
          notifyDone(folder === null ? 'Folder created.' : 'Folder renamed.')
          if (folder === null) void navigate({ to: `/${team.id}/templates`, search: { folder: id } as never })
          else onClose()
        },
      },
    )
  return (
    <form onSubmit={form.onSubmit(save)}>
      <TextInput label="Name" data-autofocus required maxLength={255} {...form.getInputProps('name')} />
      <ErrorNote error={change.error} shownFields={['name']} />
      <Box mt="md">
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {folder === null ? 'Create folder' : 'Rename'}
        </FormFooter>
      </Box>
    </form>
  )
}
