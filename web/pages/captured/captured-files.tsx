import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconDownload, IconPaperclip } from '@tabler/icons-react'
import type { CapturedWhole } from '../../api/records.ts'
import { saveBlob } from '../../api/save-blob.ts'
import { showBytes } from '../../ui/bytes.ts'

/** How much of a message is shown. The download has all of it. */
const SHOWN_CHARS_MAX = 256 * 1024

/** The attachments of a message. They can only be downloaded, never opened here. */
export function CapturedFiles({ message }: { message: CapturedWhole }) {
  return (
    <ul className="files" aria-label="Attachments">
      {message.attachments.map(({ filename, content_type, size, content }, index) => {
        const name = filename ?? `attachment-${index + 1}`
        return (
          <Group component="li" key={`${String(index)} ${name}`} wrap="nowrap" gap="sm" py="xs">
            <IconPaperclip aria-hidden style={{ flex: 'none' }} />
            <div style={{ flex: 1, minWidth: 0 }}>
              <Text size="sm" fw={500} className="foreign">
                {name}
              </Text>
              <Text size="xs" c="dimmed" className="foreign">
                {content_type} · {showBytes(size)}
              </Text>
            </div>
            <ActionIcon onClick={() => save(atob(content), name)} aria-label={`Download ${name}`}>
              <IconDownload />
            </ActionIcon>
          </Group>
        )
      })}
    </ul>
  )
}

/** The source of the message as it would have been sent. */
export function CapturedSource({ message: { id, raw } }: { message: CapturedWhole }) {
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {raw.length > SHOWN_CHARS_MAX
            ? 'The first 256 KB of the message.'
            : 'The message as it would be sent.'}
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload />}
          onClick={() => save(raw, `${id}.eml`)}
        >
          Download
        </Button>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1) */}
      <pre className="source code foreign" tabIndex={0}>
        {raw.slice(0, SHOWN_CHARS_MAX)}
      </pre>
    </>
  )
}

/** Saves bytes given as Latin-1 characters. Without a type, no program opens the file automatically. */
function save(bytes: string, name: string): void {
  const octets = Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))
  saveBlob(new Blob([octets], { type: 'application/octet-stream' }), name)
}
