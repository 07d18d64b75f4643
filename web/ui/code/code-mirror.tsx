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

/** A message about a line. */
export interface CodeMark {
  line: number
  severity: 'error' | 'warning' | 'info'
  message: string
}

export interface CodeMirrorProps {
  value: string
  onChange(value: string): void
  language: 'html' | 'text'
  /** The accessible name of the field. */
  label: string
  describedBy: string
  height: string
  isReadOnly?: boolean
  /** Names that the editor suggests after `{{`. */
  variables?: readonly string[]
  marks?: readonly CodeMark[]
  /** A line to scroll to. `serial` distinguishes two jumps to the same line. */
  jump?: { line: number; serial: number } | null
}

/** How many reported values to remember until they come back as `value`: more than anyone types in that time. */
const OWN_VALUES_MAX = 50

/** CodeMirror as a controlled form field. */
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
    const report = (typed: string) => {
      ownValues.current = [...ownValues.current, typed].slice(-OWN_VALUES_MAX)
      latest.current.onChange(typed)
    }
    const extensions = [extensionsFor(latest, report), reading.current.of(readOnly(isStill))]
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
    // A value that comes back may be older than the editor's content, because the user has typed on since.
    const index = ownValues.current.indexOf(value)
    const pending = ownValues.current.slice(index + 1)
    if (index === -1 && view.current !== null) replaceAll(view.current, value)
    // A replaced text is reported too, but does not come back: it is the value already.
    ownValues.current = pending
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
  // A read-only editor can still be focused, read and searched.
  EditorView.contentAttributes.of({ 'aria-readonly': String(isReadOnly) }),
]

function extensionsFor(latest: RefObject<CodeMirrorProps>, report: (value: string) => void): Extension {
  const { language, label, describedBy } = latest.current
  // One array for the editor's lifetime: CodeMirror identifies completion sources by reference.
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
    // Suggestions appear only after `{{` and `<`, so Enter accepts one without a delay.
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
    // Tab indents. Escape and then Tab leaves the editor (built into CodeMirror; WCAG 2.2, 2.1.2).
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
      if (update.docChanged) report(update.state.doc.toString())
    }),
  ]
}

/** Applies a value from outside. Keeps the cursor when the editor already has that value, with any line ends. */
function replaceAll(view: EditorView, value: string): void {
  if (view.state.doc.eq(view.state.toText(value))) return
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
