import { Anchor, Button, Group, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck, IconSend } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { NewApiKey } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useChange, useMay, useTeam } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { EmailStatus } from '../../ui/email-status.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { Snippets } from './snippets.tsx'
import type { Start } from './use-start.ts'

interface ChecklistProps {
  start: Start
  openSend(): void
}

/** The steps from a new team to its first email. */
export function StartChecklist({ start, openSend }: ChecklistProps) {
  const may = useMay()
  const [key, setKey] = useState<NewApiKey | null>(null)
  const { domain, hasKey, email, isDone } = start
  return (
    <Section
      title="First steps"
      description="Four steps to your first email. Each step is checked off automatically."
      actions={
        <Button variant="subtle" size="compact-sm" onClick={start.dismiss}>
          {isDone ? 'Done' : 'Not now'}
        </Button>
      }
    >
      <ol className="steps">
        <Step number={1} title="Add a sending domain" isDone={domain !== null}>
          <DomainStep start={start} />
        </Step>
        <Step number={2} title="Create an API key" isDone={hasKey || key !== null}>
          <KeyStep created={key} onCreated={setKey} hasKey={hasKey} />
        </Step>
        <Step number={3} title="Send from your program" isDone={isDone}>
          <Snippets token={key?.token ?? null} domain={domain?.name ?? 'example.com'} />
          {may.change('Emails') && (
            <Group gap="xs" mt="sm">
              <Text size="sm">Or without code:</Text>
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconSend />}
                onClick={openSend}
                disabled={domain === null}
              >
                Send a test email
              </Button>
            </Group>
          )}
        </Step>
        <Step number={4} title="See the email arrive" isDone={email !== null}>
          <Arrival start={start} />
        </Step>
      </ol>
    </Section>
  )
}

interface StepProps {
  number: number
  title: string
  isDone: boolean
  children: ReactNode
}

function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li>
      <ThemeIcon
        radius="xl"
        size={26}
        variant={isDone ? 'filled' : 'default'}
        aria-label={isDone ? `Step ${number}: done` : `Step ${number}: to do`}
        role="img"
      >
        {isDone ? <IconCheck /> : <span>{number}</span>}
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Title order={3} mb="xxs">
          {title}
        </Title>
        {children}
      </div>
    </li>
  )
}

function DomainStep({ start: { domain } }: Pick<ChecklistProps, 'start'>) {
  const team = useTeam()
  const may = useMay()
  const isCapturing = useSession().installation.delivery === 'capture'
  if (domain !== null)
    return (
      <Text size="sm" c="dimmed">
        <Anchor component={Link} to={`/${team.id}/domains/${domain.id}`} size="sm" underline="always">
          {domain.name}
        </Anchor>{' '}
        {domain.captured ? 'can send: in capture mode every domain can.' : 'is verified and can send.'}
      </Text>
    )
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {isCapturing
          ? 'In capture mode, any domain is verified at once.'
          : 'You publish DNS records that prove that the domain is yours.'}
      </Text>
      {may.change('Domains') ? (
        <Button
          size="compact-sm"
          variant="default"
          component={Link}
          to={`/${team.id}/domains`}
          search={{ new: 'true' } as never}
        >
          Add a domain
        </Button>
      ) : (
        <Text size="sm">Ask an admin of the team to add one.</Text>
      )}
    </>
  )
}

interface KeyStepProps {
  created: NewApiKey | null
  onCreated(key: NewApiKey): void
  hasKey: boolean
}

function KeyStep({ created, onCreated, hasKey }: KeyStepProps) {
  const may = useMay()
  const create = useChange<NewApiKey>({ onDone: onCreated })
  if (created !== null)
    return (
      <>
        <Text size="sm" mb="xs">
          Copy the key now. It is shown only once. The examples below contain it.
        </Text>
        <CodeBlock text={created.token} label="Copy the key" />
      </>
    )
  if (!may.change('API keys')) return <Text size="sm">Ask an admin of the team to create one for you.</Text>
  const body = { name: 'First steps', permission: 'full' }
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {hasKey
          ? 'Your team already has a key. Create another one to fill in the examples below.'
          : 'Your program authenticates with this key.'}
      </Text>
      <ErrorNote error={create.error} />
      <Button
        size="compact-sm"
        variant="default"
        loading={create.isPending}
        onClick={() => create.mutate({ path: '/api-keys', method: 'POST', body })}
      >
        Create API key
      </Button>
    </>
  )
}

function Arrival({ start: { email } }: Pick<ChecklistProps, 'start'>) {
  const team = useTeam()
  const { delivery } = useSession().installation
  if (email === null)
    return (
      <Text size="sm" c="dimmed" role="status">
        Waiting for the first email. It appears here automatically.
      </Text>
    )
  return (
    <Group gap="sm" role="status">
      <Anchor component={Link} to={`/${team.id}/emails/${email.id}`} size="sm" fw={500}>
        <span className="foreign">{email.subject === '' ? '(no subject)' : email.subject}</span>
      </Anchor>
      <EmailStatus email={email} />
      {delivery === 'capture' && (
        <Anchor component={Link} to={`/${team.id}/captured`} size="sm">
          Open the mailbox
        </Anchor>
      )}
    </Group>
  )
}
