import { Text } from '@mantine/core'
import type { GoLive } from '../../api/records.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { Check, Checklist } from '../../ui/page/checklist.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

const { mode } = texts

const SETTINGS = `SENDWRIGHT_DELIVERY=direct
SENDWRIGHT_HOSTNAME=mail.example.com
PUBLIC_URL=https://mail.example.com
SENDWRIGHT_HTTPS_PORT=443
SENDWRIGHT_ACME=letsencrypt
SENDWRIGHT_SMTP_HOST=0.0.0.0
SENDWRIGHT_INBOUND_PORT=25`

/** How to leave capture mode, which only the settings of the server can do. */
export function ModeStep({ delivery, isOperator }: { delivery: GoLive['delivery']; isOperator: boolean }) {
  const isCapturing = delivery === 'capture'
  return (
    <Section title={mode.title}>
      <Checklist label={mode.title}>
        <Check
          title={mode.check}
          state={isCapturing ? 'open' : 'passed'}
          word={isCapturing ? mode.on : mode.off}
        >
          {isCapturing ? mode.captured : mode[delivery]}
          {isCapturing && !isOperator && ` ${mode.askOperator}`}
          {isCapturing && isOperator && (
            <>
              <span>{mode.how}</span>
              <CodeBlock text={SETTINGS} label={mode.copy} />
              <Text size="sm">{mode.after}</Text>
            </>
          )}
        </Check>
      </Checklist>
    </Section>
  )
}
