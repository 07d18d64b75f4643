import { Alert, Button, Group } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { sessionEnd } from '../../../api/ended-session.ts'
import { forgetDraft, type KeptDraft, keepDraft, readKeptDraft } from '../../../api/kept-drafts.ts'
import { useSession } from '../../../api/session.ts'
import { Moment } from '../../../ui/moment.tsx'
import { type Draft, isSameDraft } from '../draft/draft.ts'
import type { Editing } from './use-draft.ts'

/** Offers the changes that the user had not saved when the page was lost. */
export function KeptDraftNote({ templateId, editing }: { templateId: string; editing: Editing }) {
  const { kept, isOutdated, restore, discard } = useKeptDraft(templateId, editing)
  if (kept === null) return null
  return (
    <Alert
      color="blue"
      icon={<IconHistory />}
      title="You have changes that were not saved"
      role="status"
      mb="md"
    >
      This browser kept them. Last changed <Moment at={new Date(kept.keptAt).toISOString()} />.
      {isOutdated &&
        ' Since then, someone saved this template. If you restore and save yours, they replace theirs.'}
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

const KEEP_AFTER_MS = 400

/**
 * Keeps changes that are not saved in this browser, until they are saved or discarded, and returns those of an earlier
 * page that did not come to that: its window closed, or its session ended.
 */
function useKeptDraft(templateId: string, editing: Editing) {
  const { user } = useSession()
  const { draft, base, edit, isChanged } = editing
  const [kept, setKept] = useState(() => readDifferent(user.id, templateId, draft))
  const [settled] = useDebouncedValue(draft, KEEP_AFTER_MS)
  const wasChanged = useRef(false)
  useEffect(() => {
    if (isChanged) keepDraft(user.id, templateId, settled, base)
    else if (wasChanged.current) forgetDraft(user.id, templateId)
    wasChanged.current = isChanged
  }, [isChanged, settled, base, templateId, user.id])
  useEffect(
    () => () => {
      // The user left the page, and chose to lose the changes. An ended session is no choice.
      if (wasChanged.current && !sessionEnd.isSet()) forgetDraft(user.id, templateId)
    },
    [templateId, user.id],
  )
  return {
    kept,
    isOutdated: kept !== null && kept.base !== undefined && kept.base !== base,
    restore: () => {
      if (kept !== null) edit(kept.draft)
      setKept(null)
    },
    discard: () => {
      if (!isChanged) forgetDraft(user.id, templateId)
      setKept(null)
    },
  }
}

function readDifferent(userId: string, templateId: string, draft: Draft): KeptDraft<Draft> | null {
  const keptDraft = readKeptDraft<Draft>(userId, templateId)
  return keptDraft === null || isSameDraft(keptDraft.draft, draft) ? null : keptDraft
}
