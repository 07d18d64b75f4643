import { List, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { DomainWhole } from '../../api/records.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { texts } from './texts.ts'

const POLICIES = [
  {
    value: 'none',
    label: texts.dmarcNote.none,
    says: texts.dmarcNote.receiversDeliverMailFails,
  },
  {
    value: 'quarantine',
    label: texts.dmarcNote.quarantine,
    says: texts.dmarcNote.mailFailsGoesSpam,
  },
  {
    value: 'reject',
    label: texts.dmarcNote.reject,
    says: texts.dmarcNote.receiversRejectMailFails,
  },
] as const
type Policy = (typeof POLICIES)[number]['value']

/** Generates a DMARC record (RFC 7489 section 6.3) from a few choices. */
export function DmarcNote({ domain: { name } }: { domain: DomainWhole }) {
  const [policy, setPolicy] = useState<Policy>('none')
  const [reports, setReports] = useState('')
  const chosen = POLICIES.find(({ value }) => value === policy)
  const address = reports.trim()
  const record = `v=DMARC1; p=${policy}${address === '' ? '' : `; rua=mailto:${address}`}`
  return (
    <details className="dmarc-note">
      <summary>{texts.dmarcNote.chooseStricter}</summary>
      <SegmentedControl
        aria-label={texts.dmarcNote.policy}
        value={policy}
        onChange={(value) => setPolicy(value as Policy)}
        data={POLICIES.map(({ value, label }) => ({ value, label }))}
      />
      <Text size="sm" my="xs">
        {chosen?.says}
      </Text>
      <TextInput
        label={texts.dmarcNote.sendReportsTo}
        description={texts.dmarcNote.addressDailyXmlReports}
        type="email"
        placeholder={`dmarc@${name}`}
        value={reports}
        onChange={(event) => setReports(event.currentTarget.value)}
        maw={360}
        mb="sm"
      />
      <Text size="sm" mb="xxs">
        {texts.dmarcNote.aTxtRecordAt} <span className="code">{`_dmarc.${name}`}</span>:
      </Text>
      <CodeBlock text={record} label={texts.dmarcNote.copyTheRecord} />
      <List size="sm" mt="sm" c="dimmed">
        <List.Item>{texts.dmarcNote.publishOnlyOneRecord}</List.Item>
        <List.Item>{texts.dmarcNote.mailFromSendwrightPasses}</List.Item>
      </List>
    </details>
  )
}
