import { Alert, Anchor, Table, Tabs, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { type Session, useSession } from '../../api/session.ts'
import { useTeam } from '../../api/team.ts'
import { CodeBlock, CopyValue } from '../../ui/copy.tsx'
import { Link } from '../../ui/link.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'

type Smtp = Session['installation']['smtp']

/** The settings for programs that send over SMTP: host, ports, user name, password. */
export function SmtpPage() {
  const team = useTeam()
  const { smtp } = useSession().installation
  const isOff = smtp.port === null && smtp.tls_port === null
  return (
    <Page
      title="SMTP"
      isNarrow
      description="Programs without an API client can submit email over SMTP. The same signing, limits and logs apply."
    >
      {isOff ? (
        <Alert color="gray" icon={<IconInfoCircle />}>
          This installation does not accept mail over SMTP. To enable it, an operator sets
          SENDWRIGHT_SUBMISSION_PORT.
        </Alert>
      ) : (
        <>
          <Section title="Credentials">
            <Table variant="vertical" withRowBorders={false} aria-label="Credentials">
              <Table.Tbody>
                <Row name="Host">
                  <CopyValue text={smtp.host} label="Copy host" />
                </Row>
                {smtp.port !== null && (
                  <Row name="Port">
                    <CopyValue text={String(smtp.port)} label="Copy port" /> with STARTTLS
                  </Row>
                )}
                {smtp.tls_port !== null && (
                  <Row name="Port">
                    <CopyValue text={String(smtp.tls_port)} label="Copy TLS port" /> with TLS from the first
                    byte
                  </Row>
                )}
                <Row name="User name">
                  <CopyValue text="sendwright" label="Copy user name" /> (or any other name)
                </Row>
                <Row name="Password">
                  An{' '}
                  <Anchor component={Link} to={`/${team.id}/api-keys`} size="sm">
                    API key
                  </Anchor>
                </Row>
              </Table.Tbody>
            </Table>
          </Section>
          <Section title="Examples">
            <Snippets smtp={smtp} />
          </Section>
        </>
      )}
    </Page>
  )
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={130}>
        {name}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  )
}

function Snippets({ smtp }: { smtp: Smtp }) {
  return (
    <Tabs defaultValue="node">
      <Tabs.List aria-label="Language">
        {SNIPPETS.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SNIPPETS.map(({ id, write }) => (
        <Tabs.Panel key={id} value={id} pt="sm">
          <CodeBlock text={write(smtp)} />
        </Tabs.Panel>
      ))}
      <Text size="sm" c="dimmed" mt="xs">
        Replace YOUR_API_KEY with an API key. Fields named X-Sendwright-… set tags, templates and schedules.
      </Text>
    </Tabs>
  )
}

const portOf = ({ port, tls_port: tlsPort }: Smtp) => port ?? tlsPort ?? 0

const SNIPPETS: readonly { id: string; label: string; write(smtp: Smtp): string }[] = [
  {
    id: 'node',
    label: 'Nodemailer',
    write: (smtp) => `import { createTransport } from 'nodemailer'

const transport = createTransport({
  host: '${smtp.host}',
  port: ${portOf(smtp)},
  secure: ${smtp.port === null},
  auth: { user: 'sendwright', pass: process.env.SENDWRIGHT_API_KEY },
})
await transport.sendMail({
  from: 'Me <hello@example.com>',
  to: 'you@example.org',
  subject: 'Hello',
  text: 'It works.',
})`,
  },
  {
    id: 'python',
    label: 'Python',
    write: (smtp) => `import os, smtplib
from email.message import EmailMessage

message = EmailMessage()
message["From"], message["To"] = "hello@example.com", "you@example.org"
message["Subject"] = "Hello"
message.set_content("It works.")
with smtplib.SMTP${smtp.port === null ? '_SSL' : ''}("${smtp.host}", ${portOf(smtp)}) as smtp:
${smtp.port === null ? '' : '    smtp.starttls()\n'}    smtp.login("sendwright", os.environ["SENDWRIGHT_API_KEY"])
    smtp.send_message(message)`,
  },
  {
    id: 'settings',
    label: 'Settings',
    write: (smtp) => `SMTP_HOST=${smtp.host}
SMTP_PORT=${portOf(smtp)}
SMTP_USERNAME=sendwright
SMTP_PASSWORD=YOUR_API_KEY
SMTP_ENCRYPTION=${smtp.port === null ? 'tls' : 'starttls'}`,
  },
  {
    id: 'postfix',
    label: 'Postfix',
    write: (smtp) => `# /etc/postfix/main.cf
relayhost = [${smtp.host}]:${portOf(smtp)}
smtp_sasl_auth_enable = yes
smtp_sasl_security_options = noanonymous
smtp_sasl_password_maps = static:sendwright:YOUR_API_KEY
smtp_tls_security_level = encrypt${smtp.port === null ? '\nsmtp_tls_wrappermode = yes' : ''}`,
  },
]
