import { Group, Text } from '@mantine/core'
import { IconVariable } from '@tabler/icons-react'
import { MailPreview } from '../../../ui/mail/mail-preview.tsx'
import type { Preview } from './use-preview.ts'

interface PreviewProps {
  preview: Preview
  /** The part that the user edits. The preview switches with it. */
  follows: 'html' | 'text'
  height: string
}

/** Previews the email with the test values. */
export function PreviewPane({ preview: { answer, ...state }, follows, height }: PreviewProps) {
  return (
    <MailPreview rendered={answer} {...state} follows={follows} height={height}>
      {answer !== null && answer.missing.length > 0 && <Missing names={answer.missing} />}
    </MailPreview>
  )
}

function Missing({ names }: { names: readonly string[] }) {
  return (
    <Group gap="xs" mb="xs" wrap="nowrap" align="flex-start">
      <IconVariable color="var(--app-amber)" aria-hidden style={{ flex: 'none' }} />
      <Text size="sm" component="div">
        No test value or fallback for <span className="code foreign">{names.join(', ')}</span>: requests
        without it are rejected.
      </Text>
    </Group>
  )
}
