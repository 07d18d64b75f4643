import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { Decoration, type DecorationSet, type EditorView, MatchDecorator, ViewPlugin } from '@codemirror/view'

/** Matches variables as the server does (src/templates/render-template.ts). */
const places = new MatchDecorator({
  regexp:
    /\{\{\{\s*[A-Za-z_][A-Za-z0-9_]{0,63}\s*(?:\|[^{}]*)?\}\}\}|\{\{\s*[A-Za-z_][A-Za-z0-9_]{0,63}\s*\}\}/g,
  decoration: Decoration.mark({ class: 'cm-place' }),
})

/** Highlights variables. */
export const markVariables = ViewPlugin.define<{ decorations: DecorationSet; update(update: never): void }>(
  (view: EditorView) => {
    const plugin = {
      decorations: places.createDeco(view),
      update(update: Parameters<typeof places.updateDeco>[0]) {
        plugin.decorations = places.updateDeco(update, plugin.decorations)
      },
    }
    return plugin
  },
  { decorations: (plugin) => plugin.decorations },
)

/** Returns a completion source that suggests names after `{{` or `{{{` and adds the missing closing braces. */
export function completeVariables(names: () => readonly string[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const before = context.matchBefore(/\{{2,3}\s*\w{0,64}/)
    if (before === null) return null
    const braces = /^\{+/.exec(before.text)?.[0].length ?? 2
    const from = before.from + (/^\{+\s*/.exec(before.text)?.[0].length ?? braces)
    return {
      from,
      validFor: /^\w*$/,
      options: names().map((label) => ({ label, type: 'variable', apply: insert(label, braces) })),
    }
  }
}

const insert = (name: string, braces: number) => (view: EditorView, _: unknown, from: number, to: number) => {
  const after = view.state.sliceDoc(to, to + braces)
  const closed = /^\}*/.exec(after)?.[0].length ?? 0
  view.dispatch({
    changes: { from, to, insert: name + '}'.repeat(braces - closed) },
    selection: { anchor: from + name.length + braces },
    userEvent: 'input.complete',
  })
}
