import { Button, List, Text } from '@mantine/core'
import { CodeBlock } from '../../ui/copy.tsx'
import { AccessFrame } from './access-frame.tsx'

/** Shown while the installation has no account: the first one is created by a link that the server prints. */
export function NoOwner({ onRetry }: { onRetry(): void }) {
  return (
    <AccessFrame
      title="No accounts yet"
      description="Create the first account with the link that this server printed when it started."
    >
      <List type="ordered" size="sm" spacing="sm">
        <List.Item>
          Find the link in the output of the server’s start. It ends in <code>/app/welcome#token=…</code> and
          works once, within an hour.
        </List.Item>
        <List.Item>
          <Text size="sm" mb="xs">
            If the link is lost or has expired, print a new one on the server:
          </Text>
          <CodeBlock text="npx sendwright user first-owner" />
        </List.Item>
        <List.Item>Open the link in this browser.</List.Item>
      </List>
      <Button variant="default" mt="lg" onClick={onRetry}>
        Check again
      </Button>
    </AccessFrame>
  )
}
