import { Group, Modal, Select, TextInput } from '@mantine/core'
import type { Domain, Sender } from '../../api/records.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { saveRequest } from '../../ui/forms/save-request.ts'
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
  const sorted = [...domains].sort((one, other) => rankOf(one) - rankOf(other))
  const firstId = sorted[0]?.id ?? null
  const { form, frame } = useDialogForm({
    initialValues: {
      name: sender?.name ?? '',
      username: sender?.username ?? '',
      /** An empty value stands for the first domain. */
      domain_id: sender?.domain_id ?? '',
      reply_to: sender === null || sender.reply_to === sender.email ? '' : sender.reply_to,
    },
    requestOf(draft, before) {
      const bodyOf = ({ domain_id, reply_to, ...rest }: typeof draft) => ({
        ...rest,
        domain_id: domain_id || firstId,
        reply_to: reply_to === '' ? null : reply_to,
      })
      return saveRequest({ path: '/senders', id: sender?.id ?? null }, bodyOf(draft), bodyOf(before))
    },
    onDone: sender === null ? 'Sender added.' : 'Sender changed.',
    onClose,
  })
  return (
    <DialogForm {...frame} action={sender === null ? 'Add sender' : 'Save'}>
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
          value={form.values.domain_id || firstId}
        />
      </Group>
      <TextInput
        label="Reply-To"
        description="Leave empty to use the sender’s address."
        type="email"
        {...form.getInputProps('reply_to')}
      />
    </DialogForm>
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
