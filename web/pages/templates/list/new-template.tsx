import { Anchor, Box, Modal, Select, type SelectProps, Stack, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Sender, Template, TemplateFolder } from '../../../api/records.ts'
import { useChange, useMay, useTeam } from '../../../api/team.ts'
import { useAll } from '../../../api/whole-lists.ts'
import { useDialog } from '../../../ui/forms/dialog.ts'
import { showFieldErrors } from '../../../ui/forms/form-errors.ts'
import { FormFooter } from '../../../ui/forms/form-footer.tsx'
import { Link } from '../../../ui/link.tsx'
import { ErrorNote } from '../../../ui/page/error-note.tsx'
import { EMPTY_HTML, STARTER_HTML, STARTER_TEXT, STARTER_VARIABLES } from './starter.ts'

/** Creates a template and opens its editor (`?new=true`). */
export function NewTemplate({ folders }: { folders: readonly TemplateFolder[] }) {
  const { isOpen, close } = useDialog('new', useMay().change('Templates'))
  return (
    <Modal opened={isOpen} onClose={close} title="New template">
      {isOpen && <Form folders={folders} onClose={close} />}
    </Modal>
  )
}

const NO_FOLDER = ''
const BEGINNINGS = [
  { value: 'starter', label: 'A simple responsive email' },
  { value: 'empty', label: 'Blank HTML' },
]
const SHOWN_FIELDS = ['name', 'subject', 'sender_id', 'from', 'folder_id']

interface Values {
  name: string
  subject: string
  /** An empty value stands for the first sender. */
  sender_id: string
  from: string
  folder_id: string
  begin: string
}

const EMPTY: Values = {
  name: '',
  subject: '',
  sender_id: '',
  from: '',
  folder_id: NO_FOLDER,
  begin: 'starter',
}

function Form({ folders, onClose }: { folders: readonly TemplateFolder[]; onClose: () => void }) {
  const team = useTeam()
  const navigate = useNavigate()
  const { folder } = useSearch({ strict: false }) as { folder?: string }
  const { data: senders = [], isPending, error } = useAll<Sender>('/senders')
  const form = useForm<Values>({ initialValues: { ...EMPTY, folder_id: folder ?? NO_FOLDER } })
  const change = useChange<Template>({ touches: ['/senders'] })
  const senderId = form.values.sender_id || (senders[0]?.id ?? '')
  const create = (values: Values) =>
    change.mutate(
      { method: 'POST', path: '/templates', body: bodyOf(values, senderId) },
      {
        onError: (error) => showFieldErrors(form, error),
        onSuccess: ({ id }) => void navigate({ to: `/${team.id}/templates/${id}` }),
      },
    )
  return (
    <form onSubmit={form.onSubmit(create)}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="For your team; recipients never see it."
          data-autofocus
          required
          maxLength={255}
          {...form.getInputProps('name')}
        />
        <FromField form={form} senders={senders} isPending={isPending} onLeave={onClose} />
        <TextInput
          label="Subject"
          description="Can contain variables, such as {{NAME}}."
          required
          maxLength={255}
          {...form.getInputProps('subject')}
        />
        <Select label="Start from" allowDeselect={false} data={BEGINNINGS} {...form.getInputProps('begin')} />
        {folders.length > 0 && <FolderSelect folders={folders} {...form.getInputProps('folder_id')} />}
      </Stack>
      <ErrorNote error={change.error ?? error} shownFields={SHOWN_FIELDS} />
      <Box mt="lg">
        <FormFooter onCancel={onClose} isPending={change.isPending} isDisabled={isPending}>
          Create template
        </FormFooter>
      </Box>
    </form>
  )
}

function FolderSelect({ folders, ...input }: SelectProps & { folders: readonly TemplateFolder[] }) {
  return (
    <Select
      label="Folder"
      allowDeselect={false}
      data={[
        { value: NO_FOLDER, label: 'No folder' },
        ...folders.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      {...input}
    />
  )
}

interface FromProps {
  form: UseFormReturnType<Values>
  senders: readonly Sender[]
  isPending: boolean
  onLeave(): void
}

/** A select for the sender. Without any senders, a field for the address of a new one. */
function FromField({ form, senders, isPending, onLeave }: FromProps) {
  if (senders.length > 0 || isPending)
    return (
      <Select
        label="Sender"
        required
        allowDeselect={false}
        searchable={senders.length > 8}
        disabled={isPending}
        data={senders.map(({ id, name, email }) => ({ value: id, label: `${name} <${email}>` }))}
        {...form.getInputProps('sender_id')}
        value={form.values.sender_id || (senders[0]?.id ?? '')}
      />
    )
  return (
    <TextInput
      label="From"
      description={
        <>
          Include a display name. The domain must be one of <DomainsLink onClick={onLeave} />.
        </>
      }
      placeholder="Acme <hello@mail.example.com>"
      required
      {...form.getInputProps('from')}
    />
  )
}

function DomainsLink({ onClick }: { onClick: () => void }) {
  const team = useTeam()
  return (
    <Anchor component={Link} to={`/${team.id}/domains`} size="xs" underline="always" onClick={onClick}>
      your domains
    </Anchor>
  )
}

/** @param senderId empty: the API creates a sender from the `from` address */
const bodyOf = ({ name, subject, from, folder_id, begin }: Values, senderId: string) => ({
  name,
  subject,
  ...(senderId === '' ? { from } : { sender_id: senderId }),
  folder_id: folder_id === NO_FOLDER ? null : folder_id,
  status: 'draft',
  ...contentOf(begin),
})

const contentOf = (begin: string) =>
  begin === 'empty'
    ? { html_content: EMPTY_HTML }
    : { html_content: STARTER_HTML, text_content: STARTER_TEXT, variables: STARTER_VARIABLES }
