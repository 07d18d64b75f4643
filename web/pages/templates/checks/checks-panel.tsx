import { Box, Group, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconBulb, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { Section } from '../../../ui/page/section.tsx'
import type { Finding } from './finding.ts'

interface ChecksProps {
  findings: readonly Finding[]
  onJump(finding: Finding): void
}

const KINDS = {
  error: { icon: IconCircleX, word: 'Error', color: 'var(--app-red)' },
  warning: { icon: IconAlertTriangle, word: 'Warning', color: 'var(--app-amber)' },
  hint: { icon: IconBulb, word: 'Hint', color: 'var(--app-dimmed)' },
} as const

export const PARTS = { subject: 'Subject', html: 'HTML', text: 'Text', variables: 'Variables' }

/** Lists the findings about the template. Each links to its line or field. */
export function ChecksPanel({ findings, onJump }: ChecksProps) {
  return (
    <Section title="Checks" description="Problems for mail clients and readers.">
      {findings.length === 0 ? (
        <Group gap="xs">
          <IconCircleCheck color="var(--app-green)" aria-hidden />
          <Text size="sm">No problems found.</Text>
        </Group>
      ) : (
        <Box component="ul" className="findings" aria-label="Findings">
          {findings.map((finding, index) => (
            <li key={`${String(index)} ${finding.message}`}>
              <FindingRow finding={finding} onJump={onJump} />
            </li>
          ))}
        </Box>
      )}
    </Section>
  )
}

function FindingRow({ finding, onJump }: { finding: Finding; onJump: ChecksProps['onJump'] }) {
  const { severity, part, line, message } = finding
  const { icon: Glyph, word, color } = KINDS[severity]
  return (
    <UnstyledButton className="finding" onClick={() => onJump(finding)}>
      <Glyph color={color} aria-hidden style={{ flex: 'none' }} />
      <span style={{ minWidth: 0 }}>
        <Text size="sm" span className="foreign">
          {message}
        </Text>
        <Text size="xs" c="dimmed" span display="block">
          {word} · {PARTS[part]}
          {line !== null && `, line ${line}`}
        </Text>
      </span>
    </UnstyledButton>
  )
}
