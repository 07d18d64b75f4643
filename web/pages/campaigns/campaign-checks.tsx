import { Button, Skeleton } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import type { Campaign, CampaignChecks as Checks } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Check, Checklist } from '../../ui/page/checklist.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { TestDialog } from './test-dialog.tsx'

const NAMES = {
  incomplete: 'Incomplete campaign',
  sending_paused: 'Sending is paused',
  domain_unverified: 'Domain not verified',
  empty_audience: 'Empty audience',
  missing_value: 'Missing value',
  no_unsubscribe_link: 'No unsubscribe link',
  html_too_large: 'Large HTML',
  link_not_absolute: 'Link that is not absolute',
  preview_text_unused: 'Preview text not used',
  placeholder: 'Placeholder',
}

/** What keeps the campaign from being sent, and what to mend before. Every change of a campaign refreshes it. */
export function CampaignChecks({ campaign: { id } }: { campaign: Campaign }) {
  const testing = useDialog('test')
  const { data: checks, error, refetch } = useGet<Checks>(`/campaigns/${id}/checks`)
  return (
    <Section
      title="Checks"
      description="Problems of the saved campaign that you should fix before you send it."
      actions={
        <Button variant="default" leftSection={<IconSend />} onClick={() => testing.open()}>
          Send test
        </Button>
      }
    >
      {checks !== undefined && <Findings findings={checks.data} />}
      {checks === undefined && error === null && <Skeleton height={60} />}
      <ErrorNote error={error} onRetry={() => void refetch()} />
      <TestDialog campaignId={id} dialog={testing} />
    </Section>
  )
}

function Findings({ findings }: { findings: Checks['data'] }) {
  return (
    <Checklist label="Checks">
      {findings.length === 0 && (
        <Check state="passed" title="No problems found">
          The campaign can be sent.
        </Check>
      )}
      {findings.map(({ code, severity, message }) => {
        const blocks = severity === 'error'
        return (
          <Check
            key={`${code} ${message}`}
            state={blocks ? 'failed' : 'warning'}
            title={NAMES[code]}
            word={blocks ? 'Blocks sending' : undefined}
          >
            <span className="foreign">{message}</span>
          </Check>
        )
      })}
    </Checklist>
  )
}
