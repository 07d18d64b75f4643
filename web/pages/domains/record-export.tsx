import { Button, SegmentedControl, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../../api/query-keys.ts'
import type { DomainWhole } from '../../api/records.ts'
import { sendRequest } from '../../api/request.ts'
import { saveBlob } from '../../api/save-blob.ts'
import { useTeam } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'

const FORMATS = [
  { value: 'zone', label: 'Zone file' },
  { value: 'cloudflare', label: 'Cloudflare' },
  { value: 'route53', label: 'Route 53' },
  { value: 'google', label: 'Google Cloud' },
]

/** All records in one text: for the import of a DNS provider, or as commands for its API. */
export function RecordExport({ domain }: { domain: DomainWhole }) {
  const { id: domainId, name, checked_at: checkedAt } = domain
  const team = useTeam()
  const [format, setFormat] = useState('zone')
  const path = `/domains/${domainId}/records`
  const { data, error, refetch } = useQuery({
    // The commands leave out the records that the last check found.
    queryKey: keyOf(team.id, path, { format, checkedAt }),
    queryFn: async ({ signal }) =>
      (await sendRequest(path, { teamId: team.id, query: { format }, signal })).text(),
  })
  return (
    <Section
      title="Publish all records at once"
      description="Import the zone file at your DNS provider, or run the commands in a terminal. They never replace a record."
    >
      <SegmentedControl
        data={FORMATS}
        value={format}
        onChange={setFormat}
        aria-label="Format of the records"
        mb="sm"
      />
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && (
        <Text size="sm" c="dimmed">
          Loading…
        </Text>
      )}
      {data !== undefined && (
        <>
          <CodeBlock text={data} label="Copy records" />
          {format === 'zone' && (
            <Button
              variant="default"
              mt="sm"
              leftSection={<IconDownload />}
              onClick={() => saveBlob(new Blob([data], { type: 'text/dns' }), `${name}.zone`)}
            >
              Download zone file
            </Button>
          )}
        </>
      )}
    </Section>
  )
}
