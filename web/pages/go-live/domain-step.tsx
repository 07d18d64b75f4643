import { Anchor } from '@mantine/core'
import type { GoLive } from '../../api/records.ts'
import { useMay, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { Check, Checklist, type CheckState } from '../../ui/page/checklist.tsx'
import { Section } from '../../ui/page/section.tsx'

type Domain = NonNullable<GoLive['domain']>

/** The domain of the team that is closest to sending. */
export function DomainStep({ domain }: { domain: GoLive['domain'] }) {
  const team = useTeam()
  const mayAdd = useMay().change('Domains')
  if (domain === null)
    return (
      <Section title="3. Verify your domain">
        <Checklist label="3. Verify your domain">
          <Check title="No domain yet" state="open">
            <span>Add the domain that you send from, and publish its DNS records.</span>
            {mayAdd && (
              <Anchor
                component={Link}
                to={`/${team.id}/domains`}
                search={{ new: 'true' } as never}
                size="sm"
                underline="always"
              >
                Add domain
              </Anchor>
            )}
          </Check>
        </Checklist>
      </Section>
    )
  const { state, word, text } = describe(domain)
  return (
    <Section title="3. Verify your domain">
      <Checklist label="3. Verify your domain">
        <Check title={domain.name} state={state} word={word}>
          <span>
            {text}{' '}
            <Anchor component={Link} to={`/${team.id}/domains/${domain.id}`} size="sm" underline="always">
              View the records
            </Anchor>
          </span>
        </Check>
      </Checklist>
    </Section>
  )
}

function describe({ status, captured }: Domain): {
  state: CheckState
  word?: string | undefined
  text: string
} {
  if (captured)
    return {
      state: 'open',
      word: 'Capture mode',
      text: 'Only capture mode accepted it. Publish its DNS records before you leave capture mode.',
    }
  if (status === 'verified')
    return { state: 'passed', word: 'Verified', text: 'Its DNS records are published. It can send.' }
  if (status === 'temporary_failure')
    return { state: 'warning', text: 'It can still send, but some of its records are missing.' }
  if (status === 'failed')
    return { state: 'failed', text: 'It cannot send. Publish its DNS records, then check again.' }
  return { state: 'open', word: 'Pending', text: 'Its DNS records are not found yet.' }
}
