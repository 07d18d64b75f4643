import { Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Domain, Sender } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { showWord } from '../../ui/status-badge.tsx'

interface SenderFormProps {
  isOpen: boolean
  onClose(): void
  /** Null for a new sender. */
  sender: Sender | null
  domains: readonly Domain[]
}

export function SenderForm({ isOpen, onClose, sender, domains }: SenderFormProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={sender === null ? 'Add sender' : 'Edit sender'}>
      <Fields key={sender?.id ?? 'new'} sender={sender} domains={domains} onClose={onClose} />
    </Modal>
  )
}

function Fields({ sender, domains, onClose }: Omit<SenderFormProps, 'isOpen'>) {
  const form = useForm({
    initialValues: {
      name: sender?.name ?? '',
      username: sender?.username ?? '',
      /** An empty value stands for the first domain. */
      domain_id: sender?.domain_id ?? '',
      reply_to: sender === null || sender.reply_to === sender.email ? '' : sender.reply_to,
    },
  })
  const change = useChange({
    onError: (error) => showFieldErrors(form, error),
    onDone: () => {
      notifyDone(sender === null ? 'Sender added.' : 'Sender changed.')
      onClose()
    },
  })
  const sorted = [...domains].sort((one, other) => rankOf(one) - rankOf(other))
  const domainId = form.values.domain_id || sorted[0]?.id || null
  const submit = form.onSubmit(({ reply_to: replyTo, ...rest }) => {
    const body = { ...rest, domain_id: domainId, reply_to: replyTo === '' ? null : replyTo }
    if (sender === null) change.mutate({ path: '/senders', method: 'POST', body })
    else change.mutate({ path: `/senders/${sender.id}`, method: 'PATCH', body })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="The name that recipients see."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Group gap="xs" align="flex-start" grow>
          <TextInput label="Before the @" required {...form.getInputProps('username')} />
          <Select
            label="Domain"
            required
            allowDeselect={false}
            data={sorted.map((domain) => ({ value: domain.id, label: labelOf(domain) }))}
            nothingFoundMessage="Add a domain first."
            {...form.getInputProps('domain_id')}
            value={domainId}
          />
        </Group>
        <TextInput
          label="Reply-To"
          description="Leave empty to use the sender’s address."
          type="email"
          {...form.getInputProps('reply_to')}
        />
        <ErrorNote error={change.error} shownFields={['name', 'username', 'domain_id', 'reply_to']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {sender === null ? 'Add sender' : 'Save'}
        </FormFooter>
      </Stack>
    </form>
  )
}

/** Domains that can send come first. */
const RANKS: Readonly<Record<Domain['status'], number>> = {
  verified: 0,
  temporary_failure: 1,
  pending: 2,
  failed: 3,
}
const rankOf = ({ status }: Domain) => RANKS[status]
const labelOf = ({ name, status }: Domain) =>
  RANKS[status] < 2 ? name : `${name} (${(showWord(status)).toLowerCase()})`
