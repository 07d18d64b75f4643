import { Button, Text } from '@mantine/core'
import { IconFilter, IconPlus } from '@tabler/icons-react'
import type { Segment } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { useListView } from '../../ui/tables/list-view.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { ResourcePage } from '../../ui/tables/resource-page.tsx'
import { type Names, summarize } from './summary.ts'
import { useNames } from './use-names.ts'

/** The team's segments. */
export function SegmentsPage() {
  const team = useTeam()
  const mayChange = useMay().change('Segments')
  const names = useNames()
  const view = useListView('segments', columnsOf(names), [])
  const list = useList<Segment>('/segments')
  const add = mayChange && (
    <Button leftSection={<IconPlus />} component={Link} to={`/${team.id}/segments/new`}>
      Create segment
    </Button>
  )
  return (
    <ResourcePage
      title="Segments"
      description="A segment contains all contacts that match its conditions. To pick contacts yourself, use a list."
      add={add}
      view={view}
      list={list}
      linkOf={({ id }) => `/${team.id}/segments/${id}`}
      empty={{
        icon: IconFilter,
        title: 'No segments yet',
        children:
          'For example, all contacts added this year, or all contacts in the list “Newsletter” whose plan is “pro”.',
      }}
    />
  )
}

const columnsOf = (names: Names | undefined): readonly Column<Segment>[] => {
  const words = ({ match_type, filters }: Segment) =>
    names === undefined ? ' ' : summarize({ match_type, groups: filters.groups }, names)
  return [
    {
      header: 'Name',
      width: '34%',
      sortOf: ({ name }) => name,
      render: (segment) => (
        <>
          <span className="foreign">{segment.name}</span>
          <Text size="sm" c="dimmed" fw={400} className="foreign" lineClamp={3} hiddenFrom="sm">
            {words(segment)}
          </Text>
        </>
      ),
    },
    {
      header: 'Contacts',
      isWide: true,
      render: (segment) => (
        <Text size="sm" c="dimmed" className="foreign" lineClamp={2}>
          {words(segment)}
        </Text>
      ),
    },
    momentColumn('Changed', ({ updated_at: at }) => at, { width: 200 }),
  ]
}
