import { Button, Skeleton } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import type { Campaign, CampaignChecks as Checks } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Check, Checklist } from '../../ui/page/checklist.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { TestDialog } from './test-dialog.tsx'
import { texts } from './texts.ts'

/** What keeps the campaign from being sent, and what to mend before. Every change of a campaign refreshes it. */
export function CampaignChecks({ campaign: { id } }: { campaign: Campaign }) {
  const testing = useDialog('test')
  const { data: checks, error, refetch } = useGet<Checks>(`/campaigns/${id}/checks`)
  return (
    <Section
      title={texts.checks.checks}
      description={texts.checks.ofTheSavedCampaign}
      actions={
        <Button variant="default" leftSection={<IconSend />} onClick={() => testing.open()}>
          {texts.test.sendATest}
        </Button>
      }
    >
      {checks !== undefined && <Findings found={checks.data} />}
      {checks === undefined && error === null && <Skeleton height={60} />}
      <ErrorNote error={error} onRetry={() => void refetch()} />
      <TestDialog campaignId={id} dialog={testing} />
    </Section>
  )
}

function Findings({ found }: { found: Checks['data'] }) {
  return (
    <Checklist label={texts.checks.checks}>
      {found.length === 0 && (
        <Check state="passed" title={texts.checks.nothingToMend}>
          {texts.checks.readyToSend}
        </Check>
      )}
      {found.map(({ code, severity, message }) => {
        const blocks = severity === 'error'
        return (
          <Check
            key={`${code} ${message}`}
            state={blocks ? 'failed' : 'warning'}
            title={texts.checks.names[code]}
            word={blocks ? texts.checks.blocksSending : undefined}
          >
            <span className="foreign">{message}</span>
          </Check>
        )
      })}
    </Checklist>
  )
}
