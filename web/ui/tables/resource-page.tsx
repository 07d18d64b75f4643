import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Dialog } from '../forms/dialog.ts'
import { EmptyState, type EmptyStateProps } from '../page/empty-state.tsx'
import { Page, type PageProps } from '../page/page.tsx'
import { Section } from '../page/section.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { ListTools } from './list-tools.tsx'

interface ResourcePageProps<T>
  extends Pick<PageProps, 'title' | 'description' | 'actions'>,
    Omit<DataTableProps<T>, 'label' | 'keyOf' | 'empty'> {
  /** The accessible name of the table, if it is not the title. */
  label?: string
  /** The button that adds a record. It is at the head of the page, and in an empty list. */
  add?: ReactNode
  /** Above the table. The default is the tools of the view. */
  filters?: ReactNode
  /** Shown in place of an empty list; its action is `add` if it names none. */
  empty: EmptyStateProps
  /** Notes that stand above the list. */
  note?: ReactNode
  /** The dialogs of the page. */
  children?: ReactNode
}

/** A page that lists the records of one kind. */
export function ResourcePage<T extends { id: string }>({
  title,
  description,
  label = title,
  add,
  actions = add,
  filters,
  empty,
  note,
  children,
  ...table
}: ResourcePageProps<T>) {
  const { view } = table
  return (
    <Page title={title} description={description} actions={actions}>
      {note}
      <Section isFlush>
        {filters ??
          (view !== undefined && (
            <Group p="xs">
              <ListTools view={view} />
            </Group>
          ))}
        <DataTable
          {...table}
          label={label}
          keyOf={({ id }) => id}
          empty={<EmptyState action={add} {...empty} />}
        />
      </Section>
      {children}
    </Page>
  )
}

/** Opens the dialog that adds a record. */
export function AddButton({ dialog, children }: { dialog: Dialog; children: string }) {
  return (
    <Button leftSection={<IconPlus />} onClick={() => dialog.open()}>
      {children}
    </Button>
  )
}
