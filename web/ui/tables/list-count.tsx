import { Button, Text } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import type { ReadList } from '../../api/team.ts'
import { EmptyState } from '../page/empty-state.tsx'
import { plural } from '../plural.ts'

/** With filters, the API stops counting here. */
const COUNTED_MAX = 10_000

interface ListCountProps {
  list: Pick<ReadList<unknown>, 'total' | 'isPending' | 'rows'>
  isFiltered: boolean
  /** For example `email`. */
  noun: string
  /** Returns the text for more rows than the API counts. */
  moreThan(count: string): string
}

/** The number of rows in a list. */
export function ListCount({ list: { total, isPending, rows }, isFiltered, noun, moreThan }: ListCountProps) {
  const text = () => {
    if (isPending || total === null || rows.length === 0) return ' '
    if (isFiltered && total >= COUNTED_MAX) return moreThan(COUNTED_MAX.toLocaleString())
    return plural(total, `1 ${noun}`, `${total.toLocaleString()} ${noun}s`)
  }
  return (
    <Text size="xs" c="dimmed" role="status">
      {text()}
    </Text>
  )
}

interface NoMatchesProps {
  title: string
  clear(): void
  /** Explains what the search finds. */
  children: string
}

/** Shown in place of a list whose filters match nothing. */
export function NoMatches({ title, clear, children }: NoMatchesProps) {
  return (
    <EmptyState
      icon={IconSearchOff}
      title={title}
      action={
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
