import { Button, List, Text } from '@mantine/core'
import { CodeBlock } from '../../ui/copy.tsx'
import { AccessFrame } from './access-frame.tsx'
import { texts } from './texts.ts'

/** Shown while the installation has no account: the first one is created by a link that the server prints. */
export function NoOwner({ onRetry }: { onRetry(): void }) {
  return (
    <AccessFrame title={texts.noOwner.noAccountsYet} description={texts.noOwner.createFirstAccountLink}>
      <List type="ordered" size="sm" spacing="sm">
        <List.Item>
          {texts.noOwner.findLinkOutputServers} <code>/app/welcome#token=…</code>{' '}
          {texts.noOwner.worksOnceWithinHour}
        </List.Item>
        <List.Item>
          <Text size="sm" mb="xs">
            {texts.noOwner.ifLinkLostExpired}
          </Text>
          <CodeBlock text="npx sendwright user first-owner" />
        </List.Item>
        <List.Item>{texts.noOwner.openLinkBrowser}</List.Item>
      </List>
      <Button variant="default" mt="lg" onClick={onRetry}>
        {texts.noOwner.checkAgain}
      </Button>
    </AccessFrame>
  )
}
