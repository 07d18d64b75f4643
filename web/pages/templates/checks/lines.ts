/** Returns a function from index to line number. Indexes must ascend, so that the text is scanned only once. */
export function lineCounter(source: string): (index: number) => number {
  let line = 1
  let walked = 0
  return (index) => {
    for (
      let next = source.indexOf('\n', walked);
      next !== -1 && next < index;
      next = source.indexOf('\n', walked)
    ) {
      line += 1
      walked = next + 1
    }
    return line
  }
}
