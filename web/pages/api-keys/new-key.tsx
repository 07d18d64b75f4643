import { Alert, Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { NewApiKey } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { exampleRecipient, senderAt } from '../../ui/example-addresses.ts'

interface NewKeyProps {
  newKey: NewApiKey
  /** A domain from which the key may send. Null when the team has none. */
  domain: string | null
  onClose(): void
}

/** Shows the token of a new key, once, and how to use it. */
export function NewKey({ newKey: { token }, domain, onClose }: NewKeyProps) {
  const { installation } = useSession()
  const { public_url: url, smtp } = installation
  const email = {
    from: `Me <${senderAt(domain ?? 'example.com')}>`,
    to: exampleRecipient(installation),
    subject: 'Hello',
    text: 'It works.',
  }
  const curl = [
    `curl ${url}/emails \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(email)}'`,
  ].join('\n')
  const smtpPort = smtp.port ?? smtp.tls_port
  const lines = [
    `SMTP_HOST=${smtp.host}`,
    `SMTP_PORT=${smtpPort}`,
    'SMTP_USER=sendwright',
    `SMTP_PASSWORD=${token}`,
  ]
  return (
    <Stack gap="md">
      <Alert color="orange" icon={<IconInfoCircle />}>
        Copy the key now. It is shown only once.
      </Alert>
      <CodeBlock text={token} label="Copy key" />
      <Tabs defaultValue="http">
        <Tabs.List>
          <Tabs.Tab value="http">HTTP</Tabs.Tab>
          {smtpPort !== null && <Tabs.Tab value="smtp">SMTP</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="http" pt="sm">
          <CodeBlock text={curl} />
        </Tabs.Panel>
        <Tabs.Panel value="smtp" pt="sm">
          <CodeBlock text={lines.join('\n')} />
          <Text size="sm" c="dimmed" mt="xs">
            Any user name works.
          </Text>
        </Tabs.Panel>
      </Tabs>
      <Group justify="flex-end">
        <Button onClick={onClose}>I have copied it</Button>
      </Group>
    </Stack>
  )
}
