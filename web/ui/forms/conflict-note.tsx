import { Alert, Button, Group } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { useTeam } from '../../api/team.ts'
import { Link } from '../link.tsx'
import { Moment } from '../moment.tsx'

interface ConflictNoteProps {
  /** What is edited, such as `template`. */
  noun: string
  /** What they saved, such as `Version 3`, and when. */
  theirs: { what?: string; at: string }
  /** Where their changes are shown, below the team. */
  path: string
  isSaving: boolean
  onTake(): void
  onOverwrite(): void
}

/** Shown when someone else saved the same thing in the meantime: the user decides which changes to keep. */
export function ConflictNote({ noun, theirs, path, isSaving, onTake, onOverwrite }: ConflictNoteProps) {
  const team = useTeam()
  return (
    <Alert
      color="orange"
      icon={<IconGitMerge />}
      title={`Someone else saved this ${noun}`}
      role="alert"
      mb="md"
    >
      {theirs.what ?? 'It'} was saved at <Moment at={theirs.at} />. Your changes are not saved yet.
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" variant="default" onClick={onTake}>
          Discard my changes
        </Button>
        <Button size="compact-sm" variant="default" loading={isSaving} onClick={onOverwrite}>
          Overwrite their changes
        </Button>
        <Button size="compact-sm" variant="subtle" component={Link} to={`/${team.id}${path}`} target="_blank">
          View their changes (new window)
        </Button>
      </Group>
    </Alert>
  )
}
