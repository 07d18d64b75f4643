import { Alert, Button, Group } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { Moment } from '../../../ui/moment.tsx'
import type { Editing } from './use-draft.ts'
import { useKeptDraft } from './use-kept-draft.ts'

/** Offers the changes that the user had not saved when the page was lost. */
export function KeptDraftNote({ templateId, editing }: { templateId: string; editing: Editing }) {
  const { kept, restore, discard } = useKeptDraft(templateId, editing)
  if (kept === null) return null
  return (
    <Alert
      color="blue"
      icon={<IconHistory />}
      title="You have changes that were not saved"
      role="status"
      mb="md"
    >
      This browser kept them. Last changed <Moment at={new Date(kept.keptAt).toISOString()} />
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" variant="default" onClick={restore}>
          Restore
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={discard}>
          Discard
        </Button>
      </Group>
    </Alert>
  )
}
