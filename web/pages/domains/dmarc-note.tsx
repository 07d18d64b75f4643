import { List, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { DomainWhole } from '../../api/records.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { Section } from '../../ui/section.tsx'

const POLICIES = [
  { value: 'none', label: 'Watch', says: 'Nothing happens to mail that fails; you get reports. Begin here.' },
  {
    value: 'quarantine',
    label: 'Quarantine',
    says: 'Mail that fails goes to the spam folder. For when the reports show only mail of others.',
  },
  {
    value: 'reject',
    label: 'Reject',
    says: 'Mail that fails is refused. The strongest: nobody can pose as you.',
  },
] as const
type Policy = (typeof POLICIES)[number]['value']

/** Writes a DMARC record (RFC 7489 section 6.3) by what one wants of it. */
export function DmarcNote({ domain: { name } }: { domain: DomainWhole }) {
  const [policy, setPolicy] = useState<Policy>('none')
  const [reports, setReports] = useState('')
  const chosen = POLICIES.find(({ value }) => value === policy)
  const address = reports.trim()
  const record = `v=DMARC1; p=${policy}${address === '' ? '' : `; rua=mailto:${address}`}`
  return (
    <Section
      title="DMARC"
      description="What receivers do with mail that claims to be from your domain and is not. Large providers want a record of bulk senders."
    >
      <SegmentedControl
        aria-label="Policy"
        value={policy}
        onChange={(value) => setPolicy(value as Policy)}
        data={POLICIES.map(({ value, label }) => ({ value, label }))}
      />
      <Text size="sm" my="xs">
        {chosen?.says}
      </Text>
      <TextInput
        label="Reports go to"
        description="An address of yours; daily summaries come as XML. Empty: none."
        type="email"
        placeholder={`dmarc@${name}`}
        value={reports}
        onChange={(event) => setReports(event.currentTarget.value)}
        maw={360}
        mb="sm"
      />
      <Text size="sm" mb={4}>
        A TXT record at <span className="code">_dmarc.{name}</span>:
      </Text>
      <CodeBlock text={record} label="Copy the record" />
      <List size="sm" mt="sm" c="dimmed">
        <List.Item>One record only: with two, receivers act as if there were none.</List.Item>
        <List.Item>
          Mail from here passes by DKIM and by the return path, as soon as the records above are published.
        </List.Item>
      </List>
    </Section>
  )
}
