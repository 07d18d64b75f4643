import { Alert, Group, Progress, SimpleGrid, Text } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import type { Campaign } from '../../api/records.ts'
import { Fact } from '../../ui/facts.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

/** How far a campaign that has begun is, and why it is paused. */
export function CampaignProgress({ campaign }: { campaign: Campaign }) {
  const { paused_reason: reason, started_at, ended_at, recipients } = campaign
  const { rate, estimated_end_at: end, waits_until: until } = campaign
  const { waiting, accepted, skipped, failed } = recipients
  const all = waiting + accepted + skipped + failed
  const done = all - waiting
  return (
    <>
      {reason !== null && (
        <Alert color="yellow" icon={<IconPlayerPause />} title={texts.progress.whyPaused} mb="md">
          {(texts.progress.reasons as Readonly<Record<string, string>>)[reason] ?? reason}
        </Alert>
      )}
      {started_at !== null && (
        <Section title={texts.progress.progress}>
          <Group justify="space-between" mb="xs">
            <Text size="sm">{texts.progress.doneOf(done.toLocaleString(), all.toLocaleString())}</Text>
          </Group>
          <Progress value={all === 0 ? 100 : (100 * done) / all} aria-label={texts.progress.progress} />
          <Counts recipients={recipients} />
          <Group component="dl" gap="xl" mt="md" mb={0}>
            <Fact label={texts.progress.began}>
              <Moment at={started_at} />
            </Fact>
            {rate !== null && (
              <Fact label={texts.progress.rate}>{texts.progress.perHour(rate.toLocaleString())}</Fact>
            )}
            {until !== null && (
              <Fact label={texts.progress.waitsUntil}>
                <Moment at={until} />
              </Fact>
            )}
            {end !== null && (
              <Fact label={texts.progress.estimatedEnd}>
                <Moment at={end} />
              </Fact>
            )}
            {ended_at !== null && (
              <Fact label={texts.progress.ended}>
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
      <Figure label={texts.progress.waiting} value={waiting.toLocaleString()} />
      <Figure label={texts.progress.accepted} value={accepted.toLocaleString()} />
      <Figure
        label={texts.progress.skipped}
        value={skipped.toLocaleString()}
        {...(skipped > 0 && { note: texts.progress.skippedNote })}
      />
      <Figure
        label={texts.progress.failed}
        value={failed.toLocaleString()}
        {...(failed > 0 && { note: texts.progress.failedNote })}
      />
    </SimpleGrid>
  )
}
