import { Box, Tabs, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { TemplateVersion } from '../../../api/records.ts'
import { CodeDiff } from '../../../ui/code/code-diff.tsx'

type Content = Pick<
  TemplateVersion,
  'version' | 'subject' | 'html_content' | 'text_content' | 'reply_to' | 'variables' | 'sender'
>

interface Compared extends Content {
  /** Default: the number of the version. */
  title?: string
}

interface DiffProps {
  /** Null for the first version. */
  before: Compared | null
  after: Compared
}

const titleOf = ({ title, version }: Compared): string => title ?? `Version ${version}`

type Part = 'html' | 'text' | 'rest'

/** Shows the differences between two versions, part by part. */
export function VersionDiff({ before, after }: DiffProps) {
  const navigate = useNavigate()
  const { part } = useSearch({ strict: false }) as { part?: string }
  const isNarrow = useMediaQuery('(max-width: 75em)', false, { getInitialValueInEffect: false })
  const contents = {
    html: textsOf('html', before, after),
    text: textsOf('text', before, after),
    rest: textsOf('rest', before, after),
  }
  const changedParts = (Object.keys(contents) as Part[]).filter(
    (each) => contents[each].before !== contents[each].after,
  )
  const partShown = isPart(part) ? part : (changedParts[0] ?? 'html')
  const { before: one, after: other } = contents[partShown]
  return (
    <Tabs
      value={partShown}
      onChange={(next) =>
        void navigate({
          to: '.',
          search: ((search: object) => ({ ...search, part: next ?? undefined })) as never,
          replace: true,
          resetScroll: false,
        })
      }
    >
      <Tabs.List>
        {PARTS.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
            {before !== null && changedParts.includes(value) && (
              <Text span size="xs" c="dimmed">
                {' '}
                (changed)
              </Text>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={partShown}>
        {before !== null && one === other ? (
          <Same isEmpty={other === ''} />
        ) : (
          <Box>
            {before !== null && <Heads before={before} after={after} isUnified={isNarrow} />}
            <CodeDiff
              before={before === null ? other : one}
              after={other}
              beforeLabel={titleOf(before ?? after)}
              afterLabel={titleOf(after)}
              language={partShown === 'html' ? 'html' : 'text'}
              isUnified={isNarrow || before === null}
            />
          </Box>
        )}
      </Tabs.Panel>
    </Tabs>
  )
}

function Same({ isEmpty }: { isEmpty: boolean }) {
  return (
    <Text size="sm" c="dimmed" p="md">
      {isEmpty ? 'Both versions are empty.' : 'Both versions are identical.'}
    </Text>
  )
}

/** Names the columns; one column shows removed and added lines of both. */
function Heads({ before, after, isUnified }: { before: Compared; after: Compared; isUnified: boolean }) {
  if (isUnified)
    return (
      <div className="diff-heads">
        Changes from {titleOf(before).toLowerCase()} to {titleOf(after).toLowerCase()}
      </div>
    )
  return (
    <div className="diff-heads">
      <span>{titleOf(before)}</span>
      <span>{titleOf(after)}</span>
    </div>
  )
}

const PARTS = [
  { value: 'html', label: 'HTML' },
  { value: 'text', label: 'Text' },
  { value: 'rest', label: 'Subject and more' },
] as const

const isPart = (word: string | undefined): word is Part => PARTS.some(({ value }) => value === word)

function textsOf(part: Part, before: Compared | null, after: Compared) {
  const textOf = (version: Compared) => {
    if (part === 'html') return version.html_content
    return part === 'text' ? version.text_content : describeRest(version)
  }
  return { before: before === null ? '' : textOf(before), after: textOf(after) }
}

/** Returns the other fields, one per line. */
function describeRest({ subject, sender, reply_to, variables }: Compared): string {
  const from = sender === null ? '(a sender that was deleted)' : `${sender.name} <${sender.email}>`
  const lines = variables.map(({ key, type, fallback_value }) => {
    const fallback = fallback_value === null ? 'required' : `fallback ${JSON.stringify(fallback_value)}`
    return `Variable: ${key} (${type}, ${fallback})`
  })
  return [
    `Subject: ${subject}`,
    `Sender: ${from}`,
    `Reply to: ${reply_to || '(from the sender)'}`,
    ...lines,
  ].join('\n')
}
