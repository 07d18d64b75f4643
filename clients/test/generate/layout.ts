/** Identifiers that are numbers. */
export const COUNTED_IDS = new Set(['index', 'version'])
export const GENERATED_NOTE = '`npm test -- clients/test/generated.test.ts -u` writes this file.'

/** Lays out code and comments in lines of at most this length. */
export function createLayout(lineMax: number) {
  /** Writes a list of arguments on one line, or on one each if the line would be too long. */
  function wrap(head: string, parts: readonly string[], tail: string, indent: number): string {
    const line = head + parts.join(', ') + tail
    if (line.length <= lineMax) return line
    const inner = ' '.repeat(indent + 4)
    const lines = parts.map((part) => `${inner}${wrapEntries(part, indent + 4)},`)
    return [head, ...lines, ' '.repeat(indent) + tail].join('\n')
  }

  /** Writes the entries of a named argument, `query={…}` or `query: […]`, on one line each if it is too long. */
  function wrapEntries(part: string, indent: number): string {
    const [, head, entries, tail] = /^(\w+(?:=\{|: \[))(.*)([}\]])$/.exec(part) ?? []
    if (indent + part.length < lineMax || entries === undefined) return part
    const inner = ' '.repeat(indent + 4)
    const lines = entries.split(', ').map((entry) => `${inner}${entry},`)
    return [head, ...lines, `${' '.repeat(indent)}${tail}`].join('\n')
  }

  /** Breaks a text between words. Each line begins with `prefix`, the first one with `opening`. */
  function fold(text: string, prefix: string, opening = prefix, closing = ''): string {
    const lines: string[] = []
    let line = opening
    for (const word of text.split(' ')) {
      if (line.length + word.length + 1 > lineMax - closing.length) {
        lines.push(line.trimEnd())
        line = prefix
      }
      line += `${word} `
    }
    return [...lines, line.trimEnd() + closing].join('\n')
  }

  return { wrap, fold }
}
