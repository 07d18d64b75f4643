import { List, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { DomainWhole } from '../../api/records.ts'
import { CodeBlock } from '../../ui/copy.tsx'

const POLICIES = [
  {
    value: 'none',
    label: 'None',
    says: 'Receivers deliver mail that fails DMARC and send you reports. Start with this policy.',
  },
  {
    value: 'quarantine',
    label: 'Quarantine',
    says: 'Mail that fails goes to the spam folder. Choose this once the reports show that only forged mail fails.',
  },
  {
    value: 'reject',
    label: 'Reject',
    says: 'Receivers reject mail that fails. The strongest protection against forged senders.',
  },
] as const
type Policy = (typeof POLICIES)[number]['value']

/** Generates a DMARC record (RFC 7489 section 6.3) from a few choices. */
export function DmarcNote({ domain: { name } }: { domain: DomainWhole }) {
  const [policy, setPolicy] = useState<Policy>('none')
  const [reports, setReports] = useState('')
  const option = POLICIES.find(({ value }) => value === policy)
  const address = reports.trim()
  const record = `v=DMARC1; p=${policy}${address === '' ? '' : `; rua=mailto:${address}`}`
  return (
    <details className="dmarc-note">
      <summary>Choose another policy or receive reports</summary>
      <SegmentedControl
        aria-label="Policy"
        value={policy}
        onChange={(value) => setPolicy(value as Policy)}
        data={POLICIES.map(({ value, label }) => ({ value, label }))}
      />
      <Text size="sm" my="xs">
        {option?.says}
      </Text>
      <TextInput
        label="Send reports to"
        description="Your address for daily XML reports. Leave empty for no reports."
        type="email"
        placeholder={`dmarc@${name}`}
        value={reports}
        onChange={(event) => setReports(event.currentTarget.value)}
        maw={360}
        mb="sm"
      />
      <Text size="sm" mb="xxs">
        A TXT record at <span className="code">{`_dmarc.${name}`}</span>:
      </Text>
      <CodeBlock text={record} label="Copy record" />
      <List size="sm" mt="sm" c="dimmed">
        <List.Item>Publish only one record: if there are two, receivers ignore both.</List.Item>
        <List.Item>
          Mail from Sendwright passes DMARC with DKIM and SPF once the records above are published.
        </List.Item>
      </List>
    </details>
  )
}
