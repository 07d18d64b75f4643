import { Anchor, Autocomplete, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef } from 'react'
import type { Domain, EmailWhole, Sender } from '../../api/records.ts'
import { canSend } from '../../api/send-domains.ts'
import { useSession } from '../../api/session.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'
import { DeliveryState } from '../email-status.tsx'
import { type Dialog, useWhileOpen } from '../forms/dialog.ts'
import { showFieldErrors } from '../forms/form-errors.ts'
import { Link } from '../link.tsx'
import { ErrorNote } from '../page/error-note.tsx'
import { wasCaptured } from '../was-captured.ts'

const FIELDS = ['from', 'to', 'subject', 'text'] as const

/** Sends a test email and shows its status. */
export function SendTestDialog({ dialog }: { dialog: Dialog }) {
  const may = useMay()
  const isOpen = dialog.isOpen && may.change('Emails')
  const [sentId, setSentId] = useWhileOpen<string>(isOpen)
  return (
    <Modal
      opened={isOpen}
      onClose={dialog.close}
      title={sentId === null ? 'Send a test email' : 'Your test email'}
      size="lg"
    >
      {sentId === null ? (
        <SendForm onSent={setSentId} />
      ) : (
        <Sent id={sentId} onAgain={() => setSentId(null)} onClose={dialog.close} />
      )}
    </Modal>
  )
}

function SendForm({ onSent }: { onSent(id: string): void }) {
  const domains = useAll<Domain>('/domains')
  const senders = useAll<Sender>('/senders')
  if (domains.data === undefined || senders.data === undefined)
    return <ErrorNote error={domains.error ?? senders.error} />
  const names = domains.data.filter(canSend).map(({ name }) => name)
  const addresses = [
    ...senders.data.map(({ name, email }) => `${name} <${email}>`),
    ...names.map((name) => `hello@${name}`),
  ]
  return addresses.length === 0 ? <NoDomain /> : <Fields addresses={addresses} onSent={onSent} />
}

function NoDomain() {
  const team = useTeam()
  return (
    <Text size="sm">
      To send email, you first need a domain:{' '}
      <Anchor
        component={Link}
        to={`/${team.id}/domains`}
        search={{ new: 'true' } as never}
        size="sm"
        underline="always"
      >
        add one
      </Anchor>
      .
    </Text>
  )
}

function Fields({ addresses, onSent }: { addresses: string[]; onSent(id: string): void }) {
  const { delivery } = useSession().installation
  const { email: own } = useSession().user
  const first = useRef<HTMLInputElement>(null)
  // The form appears after the dialog, once the senders are loaded.
  useEffect(() => first.current?.select(), [])
  const form = useForm({
    initialValues: {
      from: addresses[0] ?? '',
      to: delivery === 'capture' ? own : 'delivered@simulator.test',
      subject: 'A test from Sendwright',
      text: 'It works.',
    },
  })
  const send = useChange<{ id: string }>({
    onDone: ({ id }) => onSent(id),
    onError: (error) => showFieldErrors(form, error),
    touches: ['/captured', '/usage', '/attention'],
  })
  return (
    <form onSubmit={form.onSubmit((body) => send.mutate({ path: '/emails', method: 'POST', body }))}>
      <Stack gap="sm">
        <Autocomplete
          label="From"
          description="Any address of a verified domain, or one of your senders"
          required
          data={[...new Set(addresses)]}
          {...form.getInputProps('from')}
        />
        <TextInput label="To" required ref={first} {...form.getInputProps('to')} />
        <TextInput label="Subject" required {...form.getInputProps('subject')} />
        <Textarea label="Text" autosize minRows={3} maxRows={10} {...form.getInputProps('text')} />
        <ErrorNote error={send.error} shownFields={FIELDS} />
        <Group justify="flex-end">
          <Button type="submit" loading={send.isPending}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface SentProps {
  id: string
  onAgain(): void
  onClose(): void
}

/** Polls until the email is delivered or has failed, because live updates may be slower than the user. */
const POLL_MS = 1_000
const OPEN = new Set(['queued', 'scheduled', 'delivery_delayed'])

type Recipient = EmailWhole['recipients'][number]

const adviceFor = ({ status, mx_host, advice }: Recipient): string | null =>
  wasCaptured(status, mx_host) ? 'Captured, not sent: this server is in capture mode.' : advice

function Sent({ id, onAgain, onClose }: SentProps) {
  const team = useTeam()
  const isCapturing = useSession().installation.delivery === 'capture'
  const { data: email, error } = useGet<EmailWhole>(`/emails/${id}`, {
    refetchIntervalMs: POLL_MS,
    refetchWhile: ({ status }) => OPEN.has(status),
  })
  const recipient = email?.recipients[0]
  const advice = recipient === undefined ? null : adviceFor(recipient)
  return (
    <Stack gap="sm">
      <ErrorNote error={error} />
      <Group gap="xs" role="status">
        <Text size="sm">Email accepted.</Text>
        {email !== undefined && <DeliveryState status={email.status} host={recipient?.mx_host ?? null} />}
      </Group>
      {advice !== null && (
        <Text size="sm" className="foreign">
          {advice}
        </Text>
      )}
      <Group gap="md">
        <Anchor component={Link} to={`/${team.id}/emails/${id}`} size="sm">
          View the email
        </Anchor>
        {isCapturing && (
          <Anchor component={Link} to={`/${team.id}/captured`} size="sm">
            Open the mailbox
          </Anchor>
        )}
      </Group>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onAgain}>
          Send another
        </Button>
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  )
}
