import { autocompletion, closeCompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { html } from '@codemirror/lang-html'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorSelection, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'
import { codeTheme } from './code-theme.ts'
import { completeVariables, markVariables } from './code-variables.ts'

/** Something to say about a line. */
export interface CodeMark {
  line: number
  severity: 'error' | 'warning' | 'info'
  message: string
}

export interface CodeMirrorProps {
  value: string
  onChange(value: string): void
  language: 'html' | 'text'
  /** What the field is, for those who hear it. */
  label: string
  describedBy: string
  height: string
  isReadOnly?: boolean
  /** Names that `{{` completes. */
  variables?: readonly string[]
  marks?: readonly CodeMark[]
  /** A line to go to; `serial` makes going to the same line twice two orders. */
  jump?: { line: number; serial: number } | null
}

/** Values that were told and did not come back yet; more than a moment's typing are not kept. */
const OWN_VALUES_MAX = 50

/** CodeMirror as a field of a form. */
export function CodeMirror(props: CodeMirrorProps) {
  const { value, marks, jump, isReadOnly = false } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef(props)
  const reading = useRef(new Compartment())
  const ownValues = useRef<readonly string[]>([])
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    if (place.current === null) return
    const { value: doc, isReadOnly: isStill = false } = latest.current
    const tell = (told: string) => {
      ownValues.current = [...ownValues.current, told].slice(-OWN_VALUES_MAX)
      latest.current.onChange(told)
    }
    const extensions = [extensionsFor(latest, tell), reading.current.of(readOnly(isStill))]
    const editor = new EditorView({ parent: place.current, state: EditorState.create({ doc, extensions }) })
    view.current = editor
    return () => {
      view.current = null
      editor.destroy()
    }
  }, [])
  useEffect(() => {
    view.current?.dispatch({ effects: reading.current.reconfigure(readOnly(isReadOnly)) })
  }, [isReadOnly])
  useEffect(() => {
    // What comes back of what was told may be older than what stands here by now: somebody types on meanwhile.
    const own = ownValues.current.indexOf(value)
    ownValues.current = ownValues.current.slice(own + 1)
    if (own === -1 && view.current !== null) replaceAll(view.current, value)
  }, [value])
  useEffect(() => {
    if (view.current !== null) showMarks(view.current, marks ?? [])
  }, [marks])
  useEffect(() => {
    if (view.current !== null && jump) goTo(view.current, jump.line)
  }, [jump])
  return (
    <div style={{ minHeight: props.height }} className="code-mirror">
      <div ref={place} />
    </div>
  )
}

const readOnly = (isReadOnly: boolean): Extension => [
  EditorState.readOnly.of(isReadOnly),
  // What cannot be written in can still take the focus, be read and searched.
  EditorView.contentAttributes.of({ 'aria-readonly': String(isReadOnly) }),
]

function extensionsFor(latest: RefObject<CodeMirrorProps>, tell: (value: string) => void): Extension {
  const { language, label, describedBy } = latest.current
  // One and the same source for as long as the editor lives: it is known by being the same.
  const completions = [{ autocomplete: completeVariables(() => latest.current.variables ?? []) }]
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    language === 'html' ? [html(), foldGutter()] : [],
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    // Nothing is offered but after `{{` and `<`: whoever presses Enter then means it.
    autocompletion({ icons: false, interactionDelay: 0 }),
    EditorState.languageData.of(() => completions),
    markVariables,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': describedBy,
      tabindex: '0',
      spellcheck: language === 'text' ? 'true' : 'false',
    }),
    codeTheme,
    // Tab indents. The editor itself lets the focus go by Escape and then Tab (WCAG 2.2, 2.1.2).
    keymap.of([
      { key: 'Escape', run: closeCompletion },
      ...searchKeymap,
      ...completionKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) tell(update.state.doc.toString())
    }),
  ]
}

/** What comes from elsewhere than the keyboard; what the editor has already is left, with its cursor. */
function replaceAll(view: EditorView, value: string): void {
  if (view.state.doc.toString() === value) return
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
}

function showMarks(view: EditorView, marks: readonly CodeMark[]): void {
  const { doc } = view.state
  const diagnostics = marks
    .filter(({ line }) => line <= doc.lines)
    .map(({ line, severity, message }) => {
      const { from, to, text } = doc.line(line)
      return { from: from + (text.length - text.trimStart().length), to, severity, message }
    })
  view.dispatch(setDiagnostics(view.state, diagnostics))
}

function goTo(view: EditorView, number: number): void {
  const line = view.state.doc.line(Math.min(number, view.state.doc.lines))
  view.dispatch({
    selection: EditorSelection.range(line.from, line.to),
    effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
  })
  view.focus()
}
