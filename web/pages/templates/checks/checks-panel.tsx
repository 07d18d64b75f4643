import { Box, Group, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconBulb, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { Section } from '../../../ui/page/section.tsx'
import { texts } from '../texts.ts'
import type { Finding } from './checks.ts'

interface ChecksProps {
  findings: readonly Finding[]
  onJump(finding: Finding): void
}

const KINDS = {
  error: { icon: IconCircleX, word: texts.checksPanel.error, color: 'var(--app-red)' },
  warning: { icon: IconAlertTriangle, word: texts.checksPanel.warning, color: 'var(--app-amber)' },
  hint: { icon: IconBulb, word: texts.checksPanel.hint, color: 'var(--app-dimmed)' },
} as const

const PARTS = texts.checksPanel.parts

/** Lists the findings about the template. Each links to its line or field. */
export function ChecksPanel({ findings, onJump }: ChecksProps) {
  return (
    <Section title={texts.checksPanel.checks} description={texts.checksPanel.problemsMailClientsReaders}>
      {findings.length === 0 ? (
        <Group gap="xs">
          <IconCircleCheck color="var(--app-green)" aria-hidden />
          <Text size="sm">{texts.checksPanel.noProblemsFound}</Text>
        </Group>
      ) : (
        <Box component="ul" className="findings" aria-label={texts.checksPanel.findings}>
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
          {line !== null && texts.checksPanel.line(line)}
        </Text>
      </span>
    </UnstyledButton>
  )
}
