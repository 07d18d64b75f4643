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
import { texts } from './texts.ts'

const { send: words } = texts

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
        {words.from}{' '}
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
            {words.sendTest}
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
        {words.needsDomain} {isCapturing ? words.captureAccepts : words.publishRecords}
      </Text>
      {mayAdd ? (
        <Button component={Link} to={`/${team.id}/domains`} search={{ new: 'true' } as never}>
          {words.addDomain}
        </Button>
      ) : (
        <Text size="sm">{words.askForDomain}</Text>
      )}
      <Text size="sm" mt="md">
        <Waiting>{words.waiting}</Waiting>
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
  const create = useChange<NewApiKey>({ onDone: ({ token: created }) => onChange(created) })
  if (token !== null)
    return (
      <div role="status">
        <Text size="sm" mb="xs">
          {words.keyOnce}
        </Text>
        <CodeBlock text={token} label={words.copyKey} />
        <Button variant="default" size="compact-sm" my="sm" onClick={() => onChange(null)}>
          {words.dismissKey}
        </Button>
      </div>
    )
  if (!may.change('API keys'))
    return (
      <Text size="sm" mb="sm">
        {words.askForKey}
      </Text>
    )
  const hasKey = (keys.data?.data.length ?? 0) > 0
  const body = { name: words.keyName, permission: 'full' }
  return (
    <>
      <ErrorNote error={create.error} />
      <Group gap="sm" mb="sm">
        <Button
          leftSection={<IconKey />}
          loading={create.isPending}
          onClick={() => create.mutate({ path: '/api-keys', method: 'POST', body })}
        >
          {words.createKey}
        </Button>
        <Text size="sm" c="dimmed" flex="1 1 12rem">
          {hasKey ? words.anotherKey : words.keyFills}
        </Text>
      </Group>
    </>
  )
}

/** The first email, as soon as the server has accepted it. */
function Arrival({ email }: { email: EmailWhole | null }) {
  const team = useTeam()
  if (email === null) return <Waiting>{words.waiting}</Waiting>
  return (
    <Group gap="xs" role="status">
      <Text size="sm">{words.arrived}</Text>
      <Anchor component={Link} to={`/${team.id}/emails/${email.id}`} size="sm" fw={500}>
        <span className="foreign">{email.subject === '' ? words.noSubject : email.subject}</span>
      </Anchor>
      <EmailStatus email={email} />
    </Group>
  )
}
