import { Box, Skeleton, Text } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import type { CodeMark, CodeMirrorProps } from './code-mirror.tsx'

export type { CodeMark }

interface CodeEditorProps extends Omit<CodeMirrorProps, 'describedBy'> {
  /** A message about the whole value. */
  error?: string | undefined
}

const CodeMirror = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }))

/** A field for code. The editor is large, so it is loaded on first use. */
export function CodeEditor({ error, ...editor }: CodeEditorProps) {
  const hint = useId()
  return (
    <Box className="code-field" data-invalid={error !== undefined || undefined}>
      <Suspense fallback={<Skeleton height={editor.height} radius={0} />}>
        <CodeMirror {...editor} describedBy={hint} />
      </Suspense>
      <Box className="code-foot">
        {error !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        <Text size="xs" c="dimmed" id={hint}>
          {'Tab indents; Esc and then Tab leaves the editor. {{ completes variables, Ctrl F searches.'}
        </Text>
      </Box>
    </Box>
  )
}
