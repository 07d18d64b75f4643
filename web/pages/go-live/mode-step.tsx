import { Text } from '@mantine/core'
import type { GoLive } from '../../api/records.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { Check, Checklist } from '../../ui/page/checklist.tsx'
import { Section } from '../../ui/page/section.tsx'

const SETTINGS = `SENDWRIGHT_DELIVERY=direct
SENDWRIGHT_HOSTNAME=mail.example.com
PUBLIC_URL=https://mail.example.com
SENDWRIGHT_HTTPS_PORT=443
SENDWRIGHT_ACME=letsencrypt
SENDWRIGHT_SMTP_HOST=0.0.0.0
SENDWRIGHT_INBOUND_PORT=25`

const DELIVERIES: Readonly<Record<GoLive['delivery'], string>> = {
  capture: 'Capture mode is on: every email stays in the mailbox of this server.',
  direct: 'Email goes directly to the servers of the recipients.',
  relay: 'Email goes through the relay of this installation.',
}

/** How to leave capture mode, which only the settings of the server can do. */
export function ModeStep({ delivery, isOperator }: { delivery: GoLive['delivery']; isOperator: boolean }) {
  const isCapturing = delivery === 'capture'
  return (
    <Section title="2. Leave capture mode">
      <Checklist label="2. Leave capture mode">
        <Check
          title="Delivery"
          state={isCapturing ? 'open' : 'passed'}
          word={isCapturing ? 'Capture mode' : 'Live'}
        >
          {DELIVERIES[delivery]}
          {isCapturing && !isOperator && ' An operator of this installation switches it off.'}
          {isCapturing && isOperator && (
            <>
              <span>
                Put these settings into the file or environment of the installation, and restart the server:
              </span>
              <CodeBlock text={SETTINGS} label="Copy the settings" />
              <Text size="sm">
                Emails that still wait go out for real after the switch. Verify your domains again: capture
                mode accepts any.
              </Text>
            </>
          )}
        </Check>
      </Checklist>
    </Section>
  )
}
