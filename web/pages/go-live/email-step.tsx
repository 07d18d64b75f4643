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

/** The last step: one real email, sent from here and followed until a mail server accepts it. */
export function EmailStep({ state, onChange }: { state: GoLive; onChange(): void }) {
  const { email, domain, delivery } = state
  const isDelivered = email?.status === 'delivered' || email?.status === 'sent'
  const isReady = delivery !== 'capture' && domain !== null && domain.status !== 'failed' && !domain.captured
  return (
    <Section title="4. Send one real email">
      <Checklist label="4. Send one real email">
        {isDelivered ? (
          <Check title="First real email" state="passed" word="Delivered">
            <span className="foreign">Accepted by {email.host ?? email.recipient}.</span>
            <span>In the mail program, “Show original” must say PASS for SPF, DKIM and DMARC.</span>
            <EmailLink id={email.id} />
          </Check>
        ) : (
          <Check
            title="First real email"
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
              <span>Complete the steps above. Then send an email to yourself from here.</span>
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
      View the email
    </Anchor>
  )
}

function SendForm({ from, onSent }: { from: string; onSent(): void }) {
  const { email: ownEmail } = useSession().user
  const mayChange = useMay().change('Emails')
  const form = useForm({ initialValues: { to: ownEmail } })
  const send = useChange<{ id: string }>({
    onDone: onSent,
    onError: (error) => showFieldErrors(form, error),
    touches: ['/go-live', '/usage'],
  })
  if (!mayChange) return <span>A member of the team can send it.</span>
  const submit = ({ to }: { to: string }) =>
    send.mutate({
      path: '/emails',
      method: 'POST',
      body: { from, to, subject: 'It works', text: 'This email came from our own server.' },
    })
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Text size="sm" mb="xs">
        Send it to an address of yours at a large provider, and look at it there.
      </Text>
      <div className="go-live-send">
        <TextInput label="To" type="email" required {...form.getInputProps('to')} />
        <Button type="submit" leftSection={<IconSend />} loading={send.isPending}>
          Send email
        </Button>
      </div>
      <ErrorNote error={send.error} shownFields={['to']} />
      {send.isSuccess && (
        <Text size="sm" mt="xs">
          <Waiting>Waiting for the reply of the mail server…</Waiting>
        </Text>
      )}
    </form>
  )
}
