import { Box, Group, SegmentedControl, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { ErrorNote } from '../page/error-note.tsx'
import { MailFrame } from './mail-frame.tsx'

interface MailPreviewProps {
  /** What the server rendered; null before its first answer. */
  preview: { subject: string; html: string | null; text: string | null } | null
  /** Why the current content cannot be rendered. */
  error: unknown
  isStale: boolean
  /** The part that is shown, until the user chooses the other. */
  follows: 'html' | 'text'
  /** CSS height of the part. */
  height: string
  /** Shown between the subject and the part, such as values that are missing. */
  children?: ReactNode
}

const PARTS = [
  { value: 'html', label: 'HTML' },
  { value: 'text', label: 'Text' },
]

/** Previews an email that the server rendered: its subject, and its HTML or text. */
export function MailPreview({ preview, error, isStale, follows, height, children }: MailPreviewProps) {
  const [part, setPart] = useState<string>(follows)
  useEffect(() => setPart(follows), [follows])
  const choice = <SegmentedControl size="xs" aria-label="Part" data={PARTS} value={part} onChange={setPart} />
  return (
    <Box>
      <Group gap="xs" mb="xs" wrap="nowrap" align="baseline">
        <Text size="sm" c="dimmed" span>
          Subject
        </Text>
        <Text size="sm" fw={600} span className="foreign" style={{ minWidth: 0 }}>
          {preview === null || preview.subject === '' ? '–' : preview.subject}
        </Text>
      </Group>
      <ErrorNote error={error} />
      {children}
      <Box
        aria-busy={preview === null || undefined}
        style={{ opacity: isStale && error === null ? 0.75 : 1 }}
      >
        {part === 'html' && preview?.html ? (
          <MailFrame html={preview.html} height={height} title="HTML preview">
            {choice}
          </MailFrame>
        ) : (
          <>
            <Group justify="flex-end" mb="xs">
              {choice}
            </Group>
            <Plain text={part === 'html' ? null : (preview?.text ?? null)} part={part} height={height} />
          </>
        )}
      </Box>
    </Box>
  )
}

function Plain({ text, part, height }: { text: string | null; part: string; height: string }) {
  if (text === null)
    return (
      <Box className="mail-plain" style={{ height }}>
        <Text size="sm" c="dimmed">
          {part === 'html'
            ? 'There is no HTML: recipients get only the text.'
            : 'There is no text version: it is generated from the HTML when the email is sent.'}
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
      aria-label="Text preview"
    >
      {text}
    </Box>
  )
}
