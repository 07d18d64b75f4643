import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconKey, IconSend } from '@tabler/icons-react'
import type { ApiKey, Domain, EmailWhole, NewApiKey } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useNewToken } from '../../api/start.ts'
import { type ListOf, useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { EmailStatus } from '../../ui/email-status.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Link } from '../../ui/link.tsx'
import { SendTestDialog } from '../../ui/mail/send-test-dialog.tsx'
import { Waiting } from '../../ui/page/checklist.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Snippets } from './snippets.tsx'

interface SendStepProps {
  /** Undefined until it is known; null if the team has none that can send. */
  domain: Domain | null | undefined
  email: EmailWhole | null
}

/** The first email: a domain, a key in one click, and code that contains both. */
export function SendStep({ domain, email }: SendStepProps) {
  const team = useTeam()
  const may = useMay()
  const [token, setToken] = useNewToken()
  const test = useDialog('send')
  if (domain === undefined) return null
  if (domain === null) return <NoDomain />
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        You send from{' '}
        <Anchor component={Link} to={`/${team.id}/domains/${domain.id}`} size="sm" underline="always">
          {domain.name}
        </Anchor>
        .
      </Text>
      <KeyLine token={token} onChange={setToken} />
      <Snippets token={token} domain={domain.name} />
      <Group gap="sm" mt="sm" justify="space-between">
        <Arrival email={email} />
        {may.change('Emails') && (
          <Button variant="subtle" size="compact-sm" leftSection={<IconSend />} onClick={() => test.open()}>
            Send a test email
          </Button>
        )}
      </Group>
      <SendTestDialog dialog={test} />
    </>
  )
}

function NoDomain() {
  const team = useTeam()
  const isCapturing = useSession().installation.delivery === 'capture'
  const mayAdd = useMay().change('Domains')
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        You send from a domain of yours.{' '}
        {isCapturing
          ? 'Capture mode accepts any domain at once, so use one that you like.'
          : 'You publish DNS records that prove that the domain is yours.'}
      </Text>
      {mayAdd ? (
        <Button component={Link} to={`/${team.id}/domains`} search={{ new: 'true' } as never}>
          Add a domain
        </Button>
      ) : (
        <Text size="sm">Ask an admin of the team to add a domain.</Text>
      )}
      <Text size="sm" mt="md">
        <Waiting>Waiting for your first email…</Waiting>
      </Text>
    </>
  )
}

interface KeyLineProps {
  token: string | null
  /** Null when the user dismisses the token. */
  onChange(token: string | null): void
}

function KeyLine({ token, onChange }: KeyLineProps) {
  const may = useMay()
  const keys = useGet<ListOf<ApiKey>>('/api-keys', { query: { limit: 1 }, enabled: may.read('API keys') })
  const create = useChange<NewApiKey>({ onDone: ({ token }) => onChange(token) })
  if (token !== null)
    return (
      <div role="status">
        <Text size="sm" mb="xs">
          The key is shown only once, until you dismiss it. Copy it, or run an example now.
        </Text>
        <CodeBlock text={token} label="Copy the key" />
        <Button variant="default" size="compact-sm" my="sm" onClick={() => onChange(null)}>
          I have copied it
        </Button>
      </div>
    )
  if (!may.change('API keys'))
    return (
      <Text size="sm" mb="sm">
        Ask an admin of the team to create an API key for you.
      </Text>
    )
  const hasKey = (keys.data?.data.length ?? 0) > 0
  const body = { name: 'First steps', permission: 'full' }
  return (
    <>
      <ErrorNote error={create.error} />
      <Group gap="sm" mb="sm">
        <Button
          leftSection={<IconKey />}
          loading={create.isPending}
          onClick={() => create.mutate({ path: '/api-keys', method: 'POST', body })}
        >
          Create API key
        </Button>
        <Text size="sm" c="dimmed" flex="1 1 12rem">
          {hasKey
            ? 'Your team already has a key. Create another one to fill in the examples.'
            : 'One click creates a key and fills in the examples.'}
        </Text>
      </Group>
    </>
  )
}

/** The first email, as soon as the server has accepted it. */
function Arrival({ email }: { email: EmailWhole | null }) {
  const team = useTeam()
  if (email === null) return <Waiting>Waiting for your first email…</Waiting>
  return (
    <Group gap="xs" role="status">
      <Text size="sm">Arrived:</Text>
      <Anchor component={Link} to={`/${team.id}/emails/${email.id}`} size="sm" fw={500}>
        <span className="foreign">{email.subject === '' ? '(no subject)' : email.subject}</span>
      </Anchor>
      <EmailStatus email={email} />
    </Group>
  )
}
