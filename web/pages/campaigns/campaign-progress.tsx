import { Alert, Group, Progress, SimpleGrid, Text } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import type { Campaign } from '../../api/records.ts'
import { Fact } from '../../ui/facts.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Section } from '../../ui/page/section.tsx'

const REASONS = {
  user: 'A person or the API paused it. Resume the campaign to send the rest.',
  quota: 'The quota of the account is used up. Resume the campaign when you have quota again.',
  reputation: 'Sending is paused for the account. Resume the campaign when sending is allowed again.',
  domain: 'The domain of its sender is not verified. Verify the domain, then resume the campaign.',
  missed:
    'The server was down at its scheduled time and for six hours after it. Resume the campaign to send it now.',
  restored:
    'A backup was restored, so part of it may have been sent already. Resume the campaign to send the rest.',
  errors:
    'Something that it needs was deleted, or sending failed repeatedly. See the server log for the reason.',
}

/** How far a campaign that has begun is, and why it is paused. */
export function CampaignProgress({ campaign }: { campaign: Campaign }) {
  const { paused_reason: reason, started_at, ended_at, recipients } = campaign
  const { rate, estimated_end_at: end, waits_until: until } = campaign
  const { waiting, accepted, skipped, failed } = recipients
  const all = waiting + accepted + skipped + failed
  const handledCount = all - waiting
  return (
    <>
      {reason !== null && (
        <Alert color="yellow" icon={<IconPlayerPause />} title="The campaign is paused" mb="md">
          {(REASONS as Readonly<Record<string, string>>)[reason] ?? reason}
        </Alert>
      )}
      {started_at !== null && (
        <Section title="Progress">
          <Group justify="space-between" mb="xs">
            <Text size="sm">
              {handledCount.toLocaleString()} of {all.toLocaleString()} contacts
            </Text>
          </Group>
          <Progress value={all === 0 ? 100 : (100 * handledCount) / all} aria-label="Progress" />
          <Counts recipients={recipients} />
          <Group component="dl" gap="xl" mt="md" mb={0}>
            <Fact label="Began">
              <Moment at={started_at} />
            </Fact>
            {rate !== null && <Fact label="Rate">{rate.toLocaleString()} per hour</Fact>}
            {until !== null && (
              <Fact label="Outside its hours until">
                <Moment at={until} />
              </Fact>
            )}
            {end !== null && (
              <Fact label="Estimated end">
                <Moment at={end} />
              </Fact>
            )}
            {ended_at !== null && (
              <Fact label="Ended">
                <Moment at={ended_at} />
              </Fact>
            )}
          </Group>
        </Section>
      )}
    </>
  )
}

function Counts({ recipients: { waiting, accepted, skipped, failed } }: Pick<Campaign, 'recipients'>) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} mt="md">
      <Figure label="Waiting" value={waiting.toLocaleString()} />
      <Figure label="Accepted" value={accepted.toLocaleString()} />
      <Figure
        label="Skipped"
        value={skipped.toLocaleString()}
        {...(skipped > 0 && { note: 'Unsubscribed, suppressed or deleted since the start' })}
      />
      <Figure
        label="Failed"
        value={failed.toLocaleString()}
        {...(failed > 0 && { note: 'A value for a placeholder is missing' })}
      />
    </SimpleGrid>
  )
}
