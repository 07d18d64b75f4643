/** Returns the first records of a list, from as many pages as that takes. */
export async function take<Item>(list: AsyncIterable<Item>, countMax: number): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length >= countMax) break
  }
  return items
}
