import { Tabs, Text } from '@mantine/core'
import { useSession } from '../../api/session.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { exampleRecipient, senderAt } from '../../ui/example-addresses.ts'
import { EXAMPLES, type Example } from './examples.ts'

/** Stands for a key that cannot be shown again. */
const NO_TOKEN = 'YOUR_API_KEY'

interface SnippetsProps {
  /** Null when no key was created here. */
  token: string | null
  domain: string
}

/** Code that sends a first email, in several languages, with the team's domain and key. */
export function Snippets({ token, domain }: SnippetsProps) {
  const { installation } = useSession()
  const { public_url: url, smtp, delivery } = installation
  const example: Example = {
    url,
    smtp,
    token: token ?? NO_TOKEN,
    from: senderAt(domain),
    to: exampleRecipient(installation),
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
              <Text size="sm" c="dimmed" mt="xs">
                {hint}
              </Text>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
      {delivery !== 'capture' && (
        <Text size="sm" c="dimmed" mt="xs">
          delivered@simulator.test is a test address. It does not use your quota, and nothing is delivered.
        </Text>
      )}
    </>
  )
}

const NO_SMTP =
  'This installation does not accept mail over SMTP. To enable it, an operator sets SENDWRIGHT_SUBMISSION_PORT.'
