import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useCommandLine } from './support/command-line.ts'

const line = useCommandLine()
const UNKNOWN_ID = '01a0b1c2-7b44-7c3e-9a51-3f0c4d5e6f70'

/** Writes the files of a template into a directory of its own. Returns that directory and functions that use it. */
function givenFolder(directory: string, name: string) {
  const { from } = line.sender.email() as { from: string }
  const write = (fields: object, text = 'Text.\n') => {
    mkdirSync(join(line.home, directory, name), { recursive: true })
    const all = { name: directory, subject: 'Hello', from, ...fields }
    writeFileSync(join(line.home, directory, name, 'template.json'), JSON.stringify(all))
    writeFileSync(join(line.home, directory, name, 'body.txt'), text)
  }
  const run = (verb: string, ...more: string[]) => line.run(['templates', verb, '--dir', directory, ...more])
  const rename = (to: string) => renameSync(join(line.home, directory, name), join(line.home, directory, to))
  return { write, run, rename }
}

/** Returns the aliases of all templates of this name. */
async function aliasesOf(name: string): Promise<(string | null)[]> {
  const { json } = await line.sender.get('/templates?limit=100')
  const all: { name: string; alias: string | null }[] = json.data
  return all.filter((template) => template.name === name).map(({ alias }) => alias)
}

test.each([
  { directory: 'absent', fields: {}, more: [] },
  { directory: 'null', fields: { alias: null }, more: [] },
  { directory: 'draft', fields: {}, more: ['--draft'] },
  { directory: 'draft-of-null', fields: { alias: null }, more: ['--draft'] },
])(
  'a template without an alias gets the name of its folder, so it is created once: $directory',
  async (given) => {
    const { directory, fields, more } = given
    const name = `Welcome.${directory}`
    const { write, run } = givenFolder(directory, name)
    write(fields)
    expect((await run('push', ...more, '--dry-run')).json()).toMatchObject([{ result: 'created' }])
    const [created] = (await run('push', ...more)).json()
    expect(created).toMatchObject({ result: 'created', id: expect.any(String) })
    const { id } = created
    expect((await run('push', ...more)).json()).toMatchObject([{ id, result: 'unchanged', files: [] }])
    expect((await run('diff', '--exit-code', ...more)).json()).toEqual([])
    write({ ...fields, subject: 'Changed' }, 'Changed.\n')
    const files = ['template.json', 'body.txt']
    expect((await run('push', ...more)).json()).toMatchObject([{ id, result: 'updated', files }])
    expect((await run('push', ...more)).json()).toMatchObject([{ id, result: 'unchanged' }])
    expect(await aliasesOf(directory)).toEqual([name])
  },
)

test('a folder whose name cannot be an alias is not pushed, also in a trial', async () => {
  for (const name of ['Order confirmation', '-first', 'preview']) {
    const { write, run } = givenFolder(`no-alias-${name}`, name)
    write({})
    for (const more of [[], ['--dry-run']]) {
      const { code, stderr } = await run('push', ...more)
      expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be an alias. Rename it:')])
    }
    expect(await aliasesOf(`no-alias-${name}`)).toEqual([])
  }
})

test('a template of another server is not created while its folder has the name of its id', async () => {
  const { write, run, rename } = givenFolder('foreign', UNKNOWN_ID)
  for (const fields of [{}, { alias: null }, { alias: 'foreign' }]) {
    write(fields)
    for (const more of [[], ['--dry-run'], ['--draft']]) {
      expect(await run('push', ...more)).toMatchObject({ code: 1, stdout: '' })
    }
  }
  const { stderr } = await run('push')
  expect(stderr).toBe(
    `The server has no template ${UNKNOWN_ID}, and the alias in foreign/${UNKNOWN_ID}/template.json is "foreign". Rename the folder to "foreign".\n`,
  )
  write({})
  expect((await run('push')).stderr).toBe(
    `The server has no template ${UNKNOWN_ID}. To create it, rename the folder foreign/${UNKNOWN_ID}: its new name becomes the alias.\n`,
  )
  expect(await aliasesOf('foreign')).toEqual([])
  rename('foreign')
  expect((await run('push')).json()).toMatchObject([{ result: 'created' }])
  expect((await run('push')).json()).toMatchObject([{ result: 'unchanged' }])
})

test('a folder is renamed after its alias has changed', async () => {
  const { write, run, rename } = givenFolder('renamed', 'before')
  write({ alias: 'Before' })
  const [{ id }] = (await run('push')).json()
  write({ alias: 'after' })
  expect((await run('push')).json()).toMatchObject([{ id, result: 'updated' }])
  const again = await run('push')
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toMatch(/Rename the folder to "after"\.\n$/)
  rename('after')
  expect((await run('push')).json()).toMatchObject([{ id, result: 'unchanged' }])
  expect(await aliasesOf('renamed')).toEqual(['after'])
})

test('a template that was pulled by its id keeps having no alias', async () => {
  const { write, run } = givenFolder('plain', 'plain')
  write({})
  const [{ id }] = (await run('push')).json()
  await line.sender.patch(`/templates/${id}`, { alias: null })
  expect((await run('pull', '--dir', 'plain-pulled', id)).json()).toMatchObject([{ template: id }])
  const push = () => run('push', '--dir', 'plain-pulled')
  expect((await push()).json()).toMatchObject([{ id, result: 'unchanged' }])
  writeFileSync(join(line.home, 'plain-pulled', id, 'body.txt'), 'Other.\n')
  expect((await push()).json()).toMatchObject([{ id, result: 'updated' }])
  expect(await aliasesOf('plain')).toEqual([null])
})

test('files in another encoding, whose letters would be lost, are not pushed; a byte order mark is no part of them', async () => {
  const { write, run } = givenFolder('encodings', 'grussworte')
  write({})
  const file = (name: string) => join(line.home, 'encodings', 'grussworte', name)
  const fields = readFileSync(file('template.json'), 'utf8')
  writeFileSync(file('template.json'), `\ufeff${fields}`)
  writeFileSync(file('body.txt'), 'Grüße\n', 'latin1')
  const refused = await run('push')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('body.txt is not UTF-8 text.\n') })
  writeFileSync(file('body.txt'), '\ufeffGrüße\n')
  const [{ id, result }] = (await run('push')).json()
  expect(result).toBe('created')
  expect((await line.sender.get(`/templates/${id}`)).json.text_content).toBe('Grüße\n')
  writeFileSync(file('template.json'), 'Grüße\n', 'latin1')
  expect((await run('push')).stderr).toMatch(/^\S+template\.json is not UTF-8 text\.\n$/)
})
