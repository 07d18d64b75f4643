import { Text } from '@mantine/core'
import type { CampaignLink } from '../../api/records.ts'
import { type ListOf, useGet, useTeam } from '../../api/team.ts'
import { FiguresTable } from '../../ui/metrics/figures-table.tsx'
import { showShare } from '../../ui/metrics/shares.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ExportButton } from '../../ui/tables/export-button.tsx'
import type { ExportOf } from '../../ui/tables/export-rows.ts'

/** The others are in the file. */
const SHOWN_MAX = 10

const FIELDS: ExportOf<CampaignLink>['fields'] = [
  { name: 'url', read: ({ url }) => url },
  { name: 'clicked', read: ({ clicked }) => clicked },
  { name: 'clicked_unique', read: ({ clicked_unique }) => clicked_unique },
  { name: 'clicked_machine', read: ({ clicked_machine }) => clicked_machine },
]

interface ReportLinksProps {
  campaignId: string
  /** Recipients with a result. */
  attempted: number
  refetchIntervalMs: number
}

/** The links that most recipients clicked. */
export function ReportLinks({ campaignId, attempted, refetchIntervalMs }: ReportLinksProps) {
  const team = useTeam()
  const path = `/campaigns/${campaignId}/links`
  const { data, error, refetch } = useGet<ListOf<CampaignLink>>(path, {
    query: { limit: SHOWN_MAX },
    refetchIntervalMs,
  })
  const links = data?.data ?? []
  const total = data?.meta?.total ?? 0
  return (
    <Section
      title="Clicked links"
      description="Recipients count once for each link. Clicks by scanners and other machines have their own column."
      actions={
        links.length > 0 && (
          <ExportButton exported={{ path, query: {}, teamId: team.id, file: 'links', fields: FIELDS }} />
        )
      }
    >
      {data === undefined && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined && links.length === 0 && (
        <Text size="sm" c="dimmed">
          No clicks yet. Clicks are counted if click tracking is on for the domain.
        </Text>
      )}
      {links.length > 0 && <Links links={links} attempted={attempted} />}
      {total > links.length && (
        <Text size="sm" c="dimmed" mt="xs">
          The first {links.length} of {total.toLocaleString()}. Export the links to see all.
        </Text>
      )}
    </Section>
  )
}

function Links({ links, attempted }: { links: readonly CampaignLink[]; attempted: number }) {
  return (
    <FiguresTable label="Clicked links" headers={['Link', 'Recipients', 'Share', 'Clicks', 'Machines']}>
      {links.map((link) => (
        <tr key={link.id}>
          <th scope="row" className="link-url">
            {link.url === null ? 'Other links' : <span className="foreign">{link.url}</span>}
          </th>
          <td>{link.clicked_unique.toLocaleString()}</td>
          <td>{attempted === 0 ? '–' : showShare(Math.min(1, link.clicked_unique / attempted))}</td>
          <td>{link.clicked.toLocaleString()}</td>
          <td>{link.clicked_machine.toLocaleString()}</td>
        </tr>
      ))}
    </FiguresTable>
  )
}
