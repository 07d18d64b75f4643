import { Button, List, Text } from '@mantine/core'
import { CodeBlock } from '../../ui/copy.tsx'
import { AccessFrame } from './access-frame.tsx'

/** Nobody can log in yet: the first to come must come from the machine itself. */
export function NoOwner({ onRetry }: { onRetry(): void }) {
  return (
    <AccessFrame
      title="Nobody has an account yet"
      description="The first one is made by a link that only who runs this server can see."
    >
      <List type="ordered" size="sm" spacing="sm">
        <List.Item>
          Look at what the server printed when it started: a link that ends in{' '}
          <code>/app/welcome#token=…</code>. It works once, for an hour.
        </List.Item>
        <List.Item>
          <Text size="sm" mb={6}>
            It is gone, or too old? On the server, this prints another one:
          </Text>
          <CodeBlock text="npx sendwright user first-owner" />
        </List.Item>
        <List.Item>Open the link in this browser.</List.Item>
      </List>
      <Button variant="default" mt="lg" onClick={onRetry}>
        Look again
      </Button>
    </AccessFrame>
  )
}
