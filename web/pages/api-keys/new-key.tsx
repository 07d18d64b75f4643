import { Alert, Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { NewApiKey } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { texts } from './texts.ts'

/** Shows the token of a new key, once, and how to use it. */
export function NewKey({ created: { token }, onClose }: { created: NewApiKey; onClose(): void }) {
  const { public_url: url, smtp } = useSession().installation
  const curl = [
    `curl ${url}/emails \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"from": "Me <hello@example.com>", "to": "you@example.org", "subject": "Hello", "text": "It works."}'`,
  ].join('\n')
  const lines = [
    `SMTP_HOST=${smtp.host}`,
    `SMTP_PORT=${smtp.port ?? smtp.tls_port ?? ''}`,
    'SMTP_USER=sendwright',
    `SMTP_PASSWORD=${token}`,
  ]
  return (
    <Stack gap="md">
      <Alert color="orange" icon={<IconInfoCircle />}>
        {texts.newKey.copyKeyNowShown}
      </Alert>
      <CodeBlock text={token} label={texts.newKey.copyTheKey} />
      <Tabs defaultValue="http">
        <Tabs.List>
          <Tabs.Tab value="http">{texts.newKey.http}</Tabs.Tab>
          <Tabs.Tab value="smtp">{texts.newKey.smtp}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="http" pt="sm">
          <CodeBlock text={curl} />
        </Tabs.Panel>
        <Tabs.Panel value="smtp" pt="sm">
          <CodeBlock text={lines.join('\n')} />
          <Text size="sm" c="dimmed" mt="xs">
            {texts.newKey.anyUserNameWorks}
          </Text>
        </Tabs.Panel>
      </Tabs>
      <Group justify="flex-end">
        <Button onClick={onClose}>{texts.newKey.iHaveCopiedIt}</Button>
      </Group>
    </Stack>
  )
}
