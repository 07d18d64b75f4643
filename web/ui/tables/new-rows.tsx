import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import type { ReadList } from '../../api/team.ts'

/** A button above a scrolled list that loads what has changed since. */
export function NewRows({
  list: { isBehind, catchUp },
}: {
  list: Pick<ReadList<never>, 'isBehind' | 'catchUp'>
}) {
  return (
    <div className="new-rows" role="status">
      {isBehind && (
        <Button size="compact-sm" radius="xl" leftSection={<IconArrowUp />} onClick={catchUp}>
          Show new rows
        </Button>
      )}
    </div>
  )
}
