import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** From the palette of the dashboard (app/theme.ts). */
const COLORS = {
  tag: 'var(--app-code-tag)',
  attribute: 'var(--app-code-attribute)',
  string: 'var(--app-code-string)',
  keyword: 'var(--app-code-keyword)',
  comment: 'var(--app-dimmed)',
  wrong: 'var(--app-danger)',
  variable: 'var(--app-code-keyword)',
  variableGround: 'var(--app-code-variable-ground)',
  selection: 'var(--app-code-selection)',
  match: 'var(--app-code-match)',
  matchSelected: 'var(--app-code-match-chosen)',
  line: 'color-mix(in srgb, var(--app-faint) 60%, transparent)',
}

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--app-surface)', color: 'var(--mantine-color-text)' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-2px' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: 'var(--app-size-text)',
    lineHeight: '1.6',
    // No ligatures: code is shown as it was written.
    fontVariantLigatures: 'none',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--app-surface)',
    color: 'var(--app-dimmed)',
    border: 'none',
    borderRight: '1px solid var(--app-border)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: COLORS.line },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: COLORS.selection,
  },
  '.cm-selectionMatch': { backgroundColor: COLORS.match },
  '.cm-searchMatch': { backgroundColor: COLORS.match },
  '.cm-searchMatch-selected': { backgroundColor: COLORS.matchSelected },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: COLORS.selection },
  '.cm-place': { color: COLORS.variable, backgroundColor: COLORS.variableGround, borderRadius: '3px' },
  '.cm-place *': { color: 'inherit' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--app-faint)',
    borderColor: 'var(--app-border)',
    color: 'var(--app-dimmed)',
  },
  '.cm-panels': { backgroundColor: 'var(--app-faint)', color: 'var(--mantine-color-text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--app-border)' },
  '.cm-panel.cm-search': { padding: '8px 36px 8px 10px', fontFamily: 'var(--mantine-font-family)' },
  '.cm-panel.cm-search label': {
    fontSize: 'var(--app-size-note)',
    display: 'inline-flex',
    alignItems: 'center',
    gap: '3px',
  },
  '.cm-panel.cm-search [name=close]': {
    fontSize: 'var(--app-size-title)',
    minWidth: '24px',
    minHeight: '24px',
    color: 'inherit',
  },
  '.cm-textfield': {
    backgroundColor: 'var(--app-surface)',
    borderColor: 'var(--mantine-color-default-border)',
    borderRadius: '6px',
    padding: '4px 8px',
    fontSize: 'var(--app-size-text)',
    color: 'inherit',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--app-surface)',
    borderColor: 'var(--mantine-color-default-border)',
    borderRadius: '6px',
    padding: '4px 8px',
    fontSize: 'var(--app-size-note)',
    color: 'inherit',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--app-surface)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--app-border)',
    borderRadius: '6px',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: 'var(--app-size-text)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-color-white)',
  },
  '.cm-diagnostic': { fontFamily: 'var(--mantine-font-family)', fontSize: 'var(--app-size-text)' },
  '.cm-changeGutter': { width: '3px' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'var(--app-removed-text)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'var(--app-added-text)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--app-removed)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--app-added)' },
  '.cm-collapsedLines': {
    background: 'var(--app-faint)',
    color: 'var(--app-dimmed)',
    fontFamily: 'var(--mantine-font-family)',
  },
})

const letters = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: COLORS.tag },
  { tag: [tags.attributeName, tags.propertyName], color: COLORS.attribute },
  { tag: [tags.attributeValue, tags.string, tags.color, tags.number, tags.unit], color: COLORS.string },
  { tag: [tags.keyword, tags.character, tags.className, tags.modifier], color: COLORS.keyword },
  { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], color: COLORS.comment },
  { tag: tags.invalid, color: COLORS.wrong },
])

/** The appearance of code, in the colours of the dashboard. */
export const codeTheme: Extension = [look, syntaxHighlighting(letters)]
