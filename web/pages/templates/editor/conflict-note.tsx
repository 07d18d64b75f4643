import { Alert, Button, Group } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { useTeam } from '../../../api/team.ts'
import { Link } from '../../../ui/link.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { texts } from '../texts.ts'
import type { Editing } from './use-draft.ts'

/** Shown when someone else saved the template in the meantime: the user decides which version to keep. */
export function ConflictNote({ editing: { theirs, takeTheirs, save, isSaving } }: { editing: Editing }) {
  const team = useTeam()
  if (theirs === null) return null
  return (
    <Alert
      color="orange"
      icon={<IconGitMerge />}
      title={texts.conflictNote.someoneElseSavedTemplate}
      role="alert"
      mb="md"
    >
      {theirs.unpublished === null
        ? texts.conflictNote.versionWasSavedAt(theirs.version)
        : texts.conflictNote.draftWasSavedAt}{' '}
      <Moment at={theirs.updated_at} />
      {texts.conflictNote.changesNotSavedYet}
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" variant="default" onClick={takeTheirs}>
          {texts.conflictNote.discardMyChanges}
        </Button>
        <Button size="compact-sm" variant="default" loading={isSaving} onClick={() => void save(true)}>
          {texts.conflictNote.overwriteTheirChanges}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          component={Link}
          to={`/${team.id}/templates/${theirs.id}/versions`}
          target="_blank"
        >
          {texts.conflictNote.viewChangesNewWindow}
        </Button>
      </Group>
    </Alert>
  )
}
