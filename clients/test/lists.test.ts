import { expect, test } from 'vitest'
import { describeClients } from './support/clients.ts'

describeClients((setup) => {
  test('a loop reads every record once, while others are added', async (context) => {
    const { run, sender } = await setup.givenInterpreter(context)
    for (let count = 0; count < 5; count++) await sender.post('/lists', { name: `Before ${count}` })
    const names = await run({
      python: `
result = []
for each in sendwright.lists.list(limit=2):
    result.append(each["name"])
    sendwright.lists.create({"name": f"During {len(result)}"})`,
      php: `
$result = [];
foreach ($sendwright->lists->list(limit: 2) as $each) {
    $result[] = $each['name'];
    $sendwright->lists->create(['name' => 'During ' . count($result)]);
}`,
    })
    expect(names).toEqual([4, 3, 2, 1, 0].map((count) => `Before ${count}`))
  })

  test('one page, and all pages', async (context) => {
    const { run, sender } = await setup.givenInterpreter(context)
    for (let count = 0; count < 3; count++) await sender.post('/lists', { name: `List ${count}` })
    const [page, sizes] = await run({
      python: `
lists = sendwright.lists.list(limit=2)
result = [lists.page(), [len(page["data"]) for page in lists.pages()]]`,
      php: `
$lists = $sendwright->lists->list(limit: 2);
$sizes = [];
foreach ($lists->pages() as $page) $sizes[] = count($page['data']);
$result = [$lists->page(), $sizes];`,
    })
    expect(page).toMatchObject({ object: 'list', has_more: true })
    expect(sizes).toEqual([2, 1])
  })

  test('a loop over the feed ends with the newest event', async (context) => {
    const { run, sender } = await setup.givenInterpreter(context)
    const ids = [await sender.send(), await sender.send(), await sender.send()]
    const seen = await run({
      python: `
events = sendwright.events.list(types="email.queued", limit=1)
result = [event["data"]["email_id"] for event in events]`,
      php: `
$events = $sendwright->events->list(types: 'email.queued', limit: 1);
$result = array_map(fn ($event) => $event['data']['email_id'], iterator_to_array($events, false));`,
    })
    expect(seen).toEqual(ids)
  })
})
