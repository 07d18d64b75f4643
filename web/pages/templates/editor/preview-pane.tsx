import { Box, Group, SegmentedControl, Text } from '@mantine/core'
import { IconVariable } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { MailFrame } from '../../../ui/mail/mail-frame.tsx'
import { ErrorNote } from '../../../ui/page/error-note.tsx'
import { texts } from '../texts.ts'
import type { Preview } from './use-preview.ts'

interface PreviewProps {
  preview: Preview
  /** The part that the user edits. The preview switches with it. */
  follows: 'html' | 'text'
  height: string
}

const PARTS = [
  { value: 'html', label: texts.previewPane.html },
  { value: 'text', label: texts.previewPane.text },
]

/** Previews the email with the test values. */
export function PreviewPane({ preview: { answer, error, isStale }, follows, height }: PreviewProps) {
  const [part, setPart] = useState<string>(follows)
  useEffect(() => setPart(follows), [follows])
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label={texts.previewPane.part}
      data={PARTS}
      value={part}
      onChange={setPart}
    />
  )
  return (
    <Box>
      <Group gap="xs" mb="xs" wrap="nowrap" align="baseline">
        <Text size="sm" c="dimmed" span>
          {texts.previewPane.subject}
        </Text>
        <Text size="sm" fw={600} span className="foreign" style={{ minWidth: 0 }}>
          {answer?.subject === undefined || answer.subject === '' ? '–' : answer.subject}
        </Text>
      </Group>
      <ErrorNote error={error} />
      {answer !== null && answer.missing.length > 0 && <Missing names={answer.missing} />}
      <Box aria-busy={answer === null || undefined} style={{ opacity: isStale && error === null ? 0.75 : 1 }}>
        {part === 'html' && answer?.html ? (
          <MailFrame html={answer.html} height={height} title={texts.previewPane.htmlPreview}>
            {choice}
          </MailFrame>
        ) : (
          <>
            <Group justify="flex-end" mb="xs">
              {choice}
            </Group>
            <Plain text={part === 'html' ? null : (answer?.text ?? null)} part={part} height={height} />
          </>
        )}
      </Box>
    </Box>
  )
}

function Missing({ names }: { names: readonly string[] }) {
  return (
    <Group gap="xs" mb="xs" wrap="nowrap" align="flex-start">
      <IconVariable color="var(--app-amber)" aria-hidden style={{ flex: 'none' }} />
      <Text size="sm" component="div">
        {texts.previewPane.noTestValueFallback} <span className="code foreign">{names.join(', ')}</span>
        {texts.previewPane.requestsWithoutRejected}
      </Text>
    </Group>
  )
}

function Plain({ text, part, height }: { text: string | null; part: string; height: string }) {
  if (text === null)
    return (
      <Box className="mail-plain" style={{ height }}>
        <Text size="sm" c="dimmed">
          {part === 'html' ? texts.previewPane.thereNoHtmlRecipients : texts.previewPane.thereNoTextVersion}
        </Text>
      </Box>
    )
  return (
    <Box
      component="section"
      className="mail-plain code foreign"
      style={{ height }}
      // It scrolls, so it must be reachable by keyboard (WCAG 2.2, 2.1.1).
      tabIndex={0}
      aria-label={texts.previewPane.textPreview}
    >
      {text}
    </Box>
  )
}
