import { ActionIcon, Badge, Group, Text } from '@mantine/core'
import { IconDownload, IconPaperclip } from '@tabler/icons-react'
import type { EmailWhole } from '../../api/records.ts'
import { saveFile } from '../../api/request.ts'
import { useTeam } from '../../api/team.ts'
import { showBytes } from '../../ui/bytes.ts'
import { notifyError } from '../../ui/notifications.tsx'

/** The attachments of an email. They can only be downloaded, never opened here. */
export function Attachments({ email }: { email: EmailWhole }) {
  const team = useTeam()
  const save = (index: number, name: string) =>
    void saveFile(`/emails/${email.id}/attachments/${index}`, { teamId: team.id }, name).catch(notifyError)
  return (
    <ul className="files" aria-label="Attachments">
      {email.attachments.map(({ filename, content_type, content_id, size }, index) => (
        <Group component="li" key={`${String(index)} ${filename}`} wrap="nowrap" gap="sm" py="xs">
          <IconPaperclip aria-hidden style={{ flex: 'none' }} />
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text size="sm" fw={500} className="foreign">
              {filename}
            </Text>
            <Text size="xs" c="dimmed" className="foreign">
              {content_type} · {showBytes(size)}
            </Text>
          </div>
          {content_id !== null && <Badge>inline</Badge>}
          <ActionIcon onClick={() => save(index, filename)} aria-label={`Download ${filename}`}>
            <IconDownload />
          </ActionIcon>
        </Group>
      ))}
    </ul>
  )
}
