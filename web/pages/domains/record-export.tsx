import { Button, SegmentedControl, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DomainWhole } from '../../api/records.ts'
import { sendRequest } from '../../api/request.ts'
import { saveBlob } from '../../api/save-blob.ts'
import { keyOf, useTeam } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

const FORMATS = [
  { value: 'zone', label: texts.recordExport.zoneFile },
  { value: 'cloudflare', label: texts.recordExport.cloudflare },
  { value: 'route53', label: texts.recordExport.route53 },
  { value: 'google', label: texts.recordExport.googleCloud },
]

/** All records in one text: for the import of a DNS provider, or as commands for its API. */
export function RecordExport({ domain }: { domain: DomainWhole }) {
  const { id: domainId, name, checked_at: checkedAt } = domain
  const team = useTeam()
  const [format, setFormat] = useState('zone')
  const path = `/domains/${domainId}/records`
  const { data } = useQuery({
    // The commands leave out the records that the last check found.
    queryKey: keyOf(team.id, path, { format, checkedAt }),
    queryFn: async ({ signal }) =>
      (await sendRequest(path, { teamId: team.id, query: { format }, signal })).text(),
  })
  return (
    <Section
      title={texts.recordExport.publishAllRecordsOnce}
      description={texts.recordExport.importZoneFileDns}
    >
      <SegmentedControl
        data={FORMATS}
        value={format}
        onChange={setFormat}
        aria-label={texts.recordExport.formatOfTheRecords}
        mb="sm"
      />
      {data === undefined ? (
        <Text size="sm" c="dimmed">
          {texts.recordExport.loading}
        </Text>
      ) : (
        <>
          <CodeBlock text={data} label={texts.recordExport.copyTheRecords} />
          {format === 'zone' && (
            <Button
              variant="default"
              mt="sm"
              leftSection={<IconDownload />}
              onClick={() => saveBlob(new Blob([data], { type: 'text/dns' }), `${name}.zone`)}
            >
              {texts.recordExport.downloadZoneFile}
            </Button>
          )}
        </>
      )}
    </Section>
  )
}
