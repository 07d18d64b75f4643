import { html } from '@codemirror/lang-html'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { codeTheme } from './code-theme.ts'
import { markVariables } from './code-variables.ts'

export interface CodeMergeProps {
  before: string
  after: string
  beforeLabel: string
  afterLabel: string
  language: 'html' | 'text'
  /** One text with the changes inline, for narrow windows. */
  isUnified: boolean
}

/** Unchanged lines that stay visible around a change; the rest is folded. */
const COLLAPSE = { margin: 3, minSize: 6 }
/** A comparison that takes longer falls back to whole lines. */
const DIFF = { scanLimit: 2_000, timeout: 500 }

/** Shows two texts and the differences between them, both read-only. */
export function CodeMerge({ before, after, beforeLabel, afterLabel, language, isUnified }: CodeMergeProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current === null) return
    const look = (label: string) => extensionsFor(language, label)
    if (isUnified) {
      const unified = unifiedMergeView({
        original: before,
        mergeControls: false,
        collapseUnchanged: COLLAPSE,
        diffConfig: DIFF,
      })
      const state = EditorState.create({ doc: after, extensions: [look(afterLabel), unified] })
      const view = new EditorView({ parent: place.current, state })
      return () => view.destroy()
    }
    const view = new MergeView({
      parent: place.current,
      a: { doc: before, extensions: look(beforeLabel) },
      b: { doc: after, extensions: look(afterLabel) },
      collapseUnchanged: COLLAPSE,
      diffConfig: DIFF,
    })
    return () => view.destroy()
  }, [before, after, beforeLabel, afterLabel, language, isUnified])
  return <div ref={place} className="code-merge" />
}

const extensionsFor = (language: 'html' | 'text', label: string): Extension => [
  lineNumbers(),
  language === 'html' ? html() : [],
  markVariables,
  EditorState.readOnly.of(true),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
  codeTheme,
]
