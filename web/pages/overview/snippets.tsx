import { Tabs, Text } from '@mantine/core'
import { useSession } from '../../api/session.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { EXAMPLES, type Example } from './examples.ts'

/** Stands where a key belongs that nobody can be shown again. */
const NO_TOKEN = 'YOUR_API_KEY'

interface SnippetsProps {
  /** Null: none was made here. */
  token: string | null
  domain: string
}

/** The first email in several languages, with the team's own domain and key. */
export function Snippets({ token, domain }: SnippetsProps) {
  const { public_url: url, smtp, delivery } = useSession().installation
  const example: Example = {
    url,
    smtp,
    token: token ?? NO_TOKEN,
    from: `hello@${domain}`,
    // Elsewhere nothing is to reach a stranger by an example.
    to: delivery === 'capture' ? 'ann@example.com' : 'delivered@simulator.test',
  }
  return (
    <>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="xs">
          {EXAMPLES.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {EXAMPLES.map(({ name, write, hint }) => (
          <Tabs.Panel key={name} value={name}>
            <CodeBlock text={write(example) ?? NO_SMTP} label="Copy the example" />
            {hint !== undefined && (
              <Text size="sm" c="dimmed" mt={6}>
                {hint}
              </Text>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
      {delivery !== 'capture' && (
        <Text size="sm" c="dimmed" mt={6}>
          delivered@simulator.test is an address for trying: it costs no quota, and nobody is behind it.
        </Text>
      )}
    </>
  )
}

const NO_SMTP = 'This installation takes no mail by SMTP: its operator sets SENDWRIGHT_SUBMISSION_PORT.'
