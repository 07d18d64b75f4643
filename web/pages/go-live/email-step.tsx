import { Anchor, Button, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconSend } from '@tabler/icons-react'
import type { GoLive } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useChange, useMay, useTeam } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { Link } from '../../ui/link.tsx'
import { Check, Checklist, Waiting } from '../../ui/page/checklist.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { showWord } from '../../ui/status-badge.tsx'
import { texts } from './texts.ts'

const { email: words } = texts

/** The last step: one real email, sent from here and followed until a mail server accepts it. */
export function EmailStep({ state, onChange }: { state: GoLive; onChange(): void }) {
  const { email, domain, delivery } = state
  const isDelivered = email?.status === 'delivered' || email?.status === 'sent'
  const isReady = delivery !== 'capture' && domain !== null && domain.status !== 'failed' && !domain.captured
  return (
    <Section title={words.title}>
      <Checklist label={words.title}>
        {isDelivered ? (
          <Check title={words.check} state="passed" word={words.deliveredWord}>
            <span className="foreign">{words.delivered(email.host ?? email.recipient)}</span>
            <span>{words.inMailbox}</span>
            <EmailLink id={email.id} />
          </Check>
        ) : (
          <Check
            title={words.check}
            state={email === null ? 'open' : 'warning'}
            word={email === null ? undefined : showWord(email.status)}
          >
            {email !== null && (
              <>
                <span className="foreign">
                  {email.recipient}: {email.response ?? showWord(email.status)}
                </span>
                <EmailLink id={email.id} />
              </>
            )}
            {isReady ? (
              <SendForm from={`hello@${domain.name}`} onSent={onChange} />
            ) : (
              <span>{words.first}</span>
            )}
          </Check>
        )}
      </Checklist>
    </Section>
  )
}

function EmailLink({ id }: { id: string }) {
  const team = useTeam()
  return (
    <Anchor component={Link} to={`/${team.id}/emails/${id}`} size="sm" underline="always">
      {words.open}
    </Anchor>
  )
}

function SendForm({ from, onSent }: { from: string; onSent(): void }) {
  const { email: own } = useSession().user
  const mayChange = useMay().change('Emails')
  const form = useForm({ initialValues: { to: own } })
  const send = useChange<{ id: string }>({
    onDone: onSent,
    onError: (error) => showFieldErrors(form, error),
    touches: ['/go-live', '/usage'],
  })
  if (!mayChange) return <span>{words.viewersCannot}</span>
  const submit = ({ to }: { to: string }) =>
    send.mutate({
      path: '/emails',
      method: 'POST',
      body: { from, to, subject: words.subject, text: words.text },
    })
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Text size="sm" mb="xs">
        {words.how}
      </Text>
      <div className="go-live-send">
        <TextInput label={words.to} type="email" required {...form.getInputProps('to')} />
        <Button type="submit" leftSection={<IconSend />} loading={send.isPending}>
          {words.send}
        </Button>
      </div>
      <ErrorNote error={send.error} shownFields={['to']} />
      {send.isSuccess && (
        <Text size="sm" mt="xs">
          <Waiting>{words.waiting}</Waiting>
        </Text>
      )}
    </form>
  )
}
