import { Alert, Box, Button, Group, Modal, SegmentedControl, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useDialog } from '../../../ui/forms/dialog.ts'
import { MailFrame } from '../../../ui/mail/mail-frame.tsx'
import { ErrorNote } from '../../../ui/page/error-note.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import type { Values } from '../checks/variables.ts'
import { draftOf, previewToJson } from '../draft/draft.ts'
import type { Work } from '../draft/work.ts'
import { VersionDiff } from '../versions/version-diff.tsx'
import type { Editing } from './use-draft.ts'
import { usePreview } from './use-preview.ts'

interface ReviewProps {
  work: Work
  editing: Editing
  values: Values
}

/** Shows the published version and the draft side by side before the draft is published (`?review=true`). */
export function ReviewChanges(props: ReviewProps) {
  const { isOpen, close } = useDialog('review', props.work.unpublished !== null)
  const isPhone = useIsPhone()
  return (
    <Modal opened={isOpen} onClose={close} title="Publish changes?" size="72rem" fullScreen={isPhone}>
      {isOpen && <Review {...props} onClose={close} />}
    </Modal>
  )
}

const VIEWS = [
  { value: 'rendered', label: 'Rendered' },
  { value: 'source', label: 'Source' },
]

function Review({ work, editing, values, onClose }: ReviewProps & { onClose: () => void }) {
  const [view, setView] = useState('rendered')
  const { live, unpublished } = work
  const publish = async () => {
    if (await editing.publish()) onClose()
  }
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        The next email uses the draft. Emails that are queued or scheduled do not change.
      </Text>
      {unpublished?.is_outdated && (
        <Alert color="orange" icon={<IconAlertTriangle />} mb="sm">
          Version {live.version} was published after this draft was started. Publishing the draft replaces it.
        </Alert>
      )}
      <SegmentedControl size="xs" mb="sm" aria-label="Compare" data={VIEWS} value={view} onChange={setView} />
      {view === 'rendered' ? (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <Rendered title={`Published version ${live.version}`} work={live} values={values} />
          <Rendered title="Draft" work={work} values={values} />
        </SimpleGrid>
      ) : (
        <VersionDiff
          before={{ ...live, title: `Published version ${live.version}` }}
          after={{ ...work, title: 'Draft' }}
        />
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Keep editing
        </Button>
        <Button onClick={() => void publish()} loading={editing.isSaving}>
          Publish
        </Button>
      </Group>
    </>
  )
}

const HEIGHT = 'clamp(240px, 46vh, 520px)'

function Rendered({
  title,
  work,
  values,
}: {
  title: string
  work: Parameters<typeof draftOf>[0]
  values: Values
}) {
  const { answer, error } = usePreview(work.id, previewToJson(draftOf(work), values))
  return (
    <Box component="section" aria-label={title} style={{ minWidth: 0 }}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="sm" mb="xs" className="foreign" truncate>
        {answer?.subject ?? ' '}
      </Text>
      <ErrorNote error={error} />
      {answer === null && error === null && <Skeleton height={HEIGHT} />}
      {answer?.html != null && <MailFrame html={answer.html} height={HEIGHT} title={`Preview: ${title}`} />}
      {answer !== null && answer.html === null && (
        <Box
          className="mail-plain code foreign"
          style={{ height: HEIGHT }}
          component="section"
          tabIndex={0}
          aria-label={`Preview: ${title}`}
        >
          {answer.text}
        </Box>
      )}
    </Box>
  )
}
