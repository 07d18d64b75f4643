import { Box, Group, Switch, Tabs, Text } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconVariable } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { CodeEditor, type CodeMark } from '../../../ui/code/code-editor.tsx'
import { MailPreview } from '../../../ui/mail/mail-preview.tsx'
import { Section } from '../../../ui/page/section.tsx'
import type { Finding } from '../checks/finding.ts'
import { usedKeys } from '../checks/variables.ts'
import type { PartProps } from './editor-fields.tsx'
import type { Preview } from './use-preview.ts'

type Part = 'html' | 'text'

interface View {
  /** The open tab; `preview` only when there is no split view. */
  current: Part | 'preview'
  isSplit: boolean
  mayBeSplit: boolean
  show(view: Part | 'preview'): void
  setSplit(isSplit: boolean): void
}

/**
 * The open tab, which is part of the page's address, and whether the preview is shown side by side, which the browser
 * stores.
 */
export function useView(): View {
  const navigate = useNavigate()
  const { view } = useSearch({ strict: false }) as { view?: string }
  const isRoomy = useMediaQuery('(min-width: 64em)', true, { getInitialValueInEffect: false })
  const [wantsSplit, setSplit] = useLocalStorage({
    key: 'sendwright-template-split',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  const isSplit = isRoomy && wantsSplit
  const part = view === 'text' || view === 'preview' ? view : 'html'
  return {
    current: isSplit && part === 'preview' ? 'html' : part,
    isSplit,
    mayBeSplit: isRoomy,
    show: (next) =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, view: next === 'html' ? undefined : next })) as never,
        replace: true,
        resetScroll: false,
      }),
    setSplit,
  }
}

interface ContentProps extends PartProps {
  findings: readonly Finding[]
  jump: { part: Finding['part']; line: number; serial: number } | null
  preview: Preview
  view: View
}

const HEIGHT = 'clamp(320px, 62vh, 680px)'

/** The HTML, the text, and the preview. */
export function EditorContent(props: ContentProps) {
  const { view, preview } = props
  const { current, isSplit, mayBeSplit } = view
  return (
    <Section isFlush>
      <Tabs value={current} onChange={(next) => view.show(next as Part)} keepMounted>
        <Group justify="space-between" wrap="nowrap" className="tab-row">
          <Tabs.List>
            <Tabs.Tab value="html">HTML</Tabs.Tab>
            <Tabs.Tab value="text">Text</Tabs.Tab>
            {!isSplit && <Tabs.Tab value="preview">Preview</Tabs.Tab>}
          </Tabs.List>
          {mayBeSplit && (
            <Switch
              label="Side-by-side preview"
              size="xs"
              checked={isSplit}
              onChange={(event) => view.setSplit(event.currentTarget.checked)}
            />
          )}
        </Group>
        <Box className={isSplit ? 'split' : undefined}>
          <Box
            p="sm"
            className="split-left"
            style={{ minWidth: 0 }}
            display={current === 'preview' ? 'none' : undefined}
          >
            <Tabs.Panel value="html">
              <Code part="html" label="HTML of the template" {...props} />
            </Tabs.Panel>
            <Tabs.Panel value="text">
              <Code part="text" label="Text of the template" {...props} />
            </Tabs.Panel>
          </Box>
          {isSplit ? (
            <Box p="sm" component="section" aria-label="Preview" className="split-right">
              <PreviewPane preview={preview} follows={current === 'text' ? 'text' : 'html'} height={HEIGHT} />
            </Box>
          ) : (
            <Tabs.Panel value="preview" p="sm">
              <PreviewPane preview={preview} follows="html" height={HEIGHT} />
            </Tabs.Panel>
          )}
        </Box>
      </Tabs>
    </Section>
  )
}

const SEVERITIES = { error: 'error', warning: 'warning', hint: 'info' } as const

function Code({
  part,
  label,
  draft,
  edit,
  errors,
  isReadOnly,
  findings,
  jump,
}: ContentProps & { part: Part; label: string }) {
  const marks = useMemo(() => marksOf(findings, part), [findings, part])
  const names = [...new Set([...draft.variables.map(({ key }) => key), ...usedKeys(draft)])]
  return (
    <CodeEditor
      value={draft[part]}
      onChange={(value) => edit({ [part]: value })}
      language={part}
      label={label}
      height={HEIGHT}
      isReadOnly={isReadOnly}
      variables={names.filter((name) => name !== '')}
      marks={marks}
      jump={jump?.part === part ? jump : null}
      error={errors[`${part}_content`]}
    />
  )
}

const marksOf = (findings: readonly Finding[], part: Part): CodeMark[] =>
  findings.flatMap((finding) =>
    finding.part === part && finding.line !== null
      ? [{ line: finding.line, severity: SEVERITIES[finding.severity], message: finding.message }]
      : [],
  )

interface PreviewProps {
  preview: Preview
  /** The part that the user edits. The preview switches with it. */
  follows: 'html' | 'text'
  height: string
}

/** Previews the email with the test values. */
function PreviewPane({ preview: { answer, ...state }, follows, height }: PreviewProps) {
  return (
    <MailPreview preview={answer} {...state} follows={follows} height={height}>
      {answer !== null && answer.missing.length > 0 && <Missing names={answer.missing} />}
    </MailPreview>
  )
}

function Missing({ names }: { names: readonly string[] }) {
  return (
    <Group gap="xs" mb="xs" wrap="nowrap" align="flex-start">
      <IconVariable color="var(--app-amber)" aria-hidden style={{ flex: 'none' }} />
      <Text size="sm" component="div">
        No test value or fallback for <span className="code foreign">{names.join(', ')}</span>: requests
        without it are rejected.
      </Text>
    </Group>
  )
}
