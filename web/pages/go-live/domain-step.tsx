import { Anchor } from '@mantine/core'
import type { GoLive } from '../../api/records.ts'
import { useMay, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { Check, Checklist, type CheckState } from '../../ui/page/checklist.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

const { domain: words } = texts
type Domain = NonNullable<GoLive['domain']>

/** The domain of the team that is closest to sending. */
export function DomainStep({ domain }: { domain: GoLive['domain'] }) {
  const team = useTeam()
  const mayAdd = useMay().change('Domains')
  if (domain === null)
    return (
      <Section title={words.title}>
        <Checklist label={words.title}>
          <Check title={words.noneTitle} state="open">
            <span>{words.none}</span>
            {mayAdd && (
              <Anchor
                component={Link}
                to={`/${team.id}/domains`}
                search={{ new: 'true' } as never}
                size="sm"
                underline="always"
              >
                {words.add}
              </Anchor>
            )}
          </Check>
        </Checklist>
      </Section>
    )
  const { state, word, text } = describe(domain)
  return (
    <Section title={words.title}>
      <Checklist label={words.title}>
        <Check title={domain.name} state={state} word={word}>
          <span>
            {text}{' '}
            <Anchor component={Link} to={`/${team.id}/domains/${domain.id}`} size="sm" underline="always">
              {words.open}
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
  if (captured) return { state: 'open', word: texts.mode.on, text: words.captured }
  if (status === 'verified') return { state: 'passed', word: words.verifiedWord, text: words.verified }
  if (status === 'temporary_failure') return { state: 'warning', text: words.temporary }
  if (status === 'failed') return { state: 'failed', text: words.failed }
  return { state: 'open', word: words.pendingWord, text: words.pending }
}
