import { Button, Text } from '@mantine/core'
import { IconFilter, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Segment } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { type Names, summarize } from './summary.ts'
import { useNames } from './use-names.ts'

/** Contacts who fit conditions, whoever they are at the moment. */
export function SegmentsPage() {
  const team = useTeam()
  const mayChange = useMay().change('Segments')
  const list = useList<Segment>('/segments')
  const names = useNames()
  const add = mayChange && (
    <Button leftSection={<IconPlus size={16} />} component={Link} to={`/${team.id}/segments/new`}>
      Build a segment
    </Button>
  )
  return (
    <Page
      title="Segments"
      description="A segment holds whoever fits its conditions now. In a list is whom somebody put there."
      actions={add}
    >
      <Section isFlush>
        <DataTable
          label="Segments"
          columns={columnsOf(names)}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/segments/${id}`}
          empty={
            <EmptyState icon={IconFilter} title="No segment yet" action={add}>
              For example everybody who was added this year, or whose plan is “pro” and who is in the list
              “Newsletter”.
            </EmptyState>
          }
        />
      </Section>
    </Page>
  )
}

const columnsOf = (names: Names | undefined): readonly Column<Segment>[] => {
  const words = ({ match_type, filters }: Segment) =>
    names === undefined ? ' ' : summarize({ match_type, groups: filters.groups }, names)
  return [
    {
      header: 'Name',
      width: '34%',
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
      header: 'Who is in it',
      isWide: true,
      render: (segment) => (
        <Text size="sm" c="dimmed" className="foreign" lineClamp={2}>
          {words(segment)}
        </Text>
      ),
    },
    { header: 'Changed', render: ({ updated_at }) => <Moment at={updated_at} />, width: 200, isWide: true },
  ]
}
