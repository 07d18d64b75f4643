import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explainCategory } from '../src/classification/advise.ts'
import { CATEGORIES, type Category } from '../src/classification/verdict-categories.ts'
import { describeSettings } from '../src/config/config.ts'
import { API_ERRORS } from '../src/lib/api-error.ts'

const ROOT = join(import.meta.dirname, '..')
const FILES = globSync(
  [
    'src/**/*.ts',
    'test/**/*.ts',
    'bench/**/*.ts',
    'bin/*.mjs',
    'ops/**/*.{ts,mjs}',
    '*.ts',
    'web/*.{ts,tsx}',
    'web/{api,app,pages,ui}/**/*.{ts,tsx}',
    'packages/*/{src,test}/**/*.ts',
    'clients/test/**/*.ts',
  ],
  { cwd: ROOT },
).filter((file) => !file.includes('fixtures/') && file !== 'packages/sdk/src/api.ts')
const SOURCES = FILES.filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'))
/** This file is excluded, because it contains the forbidden patterns. */
const OTHERS = FILES.filter((file) => file !== 'test/house.test.ts')

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Returns every matching line of these files as `file:line text`. */
function findLines(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )
}

/** Returns the circles of a graph, such as files and what they import, each as `a -> b -> a`. */
function findCircles(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const finished = new Set<string>()
  const circles: string[] = []
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node].join(' -> '))
    if (finished.has(node) || path.includes(node)) return
    for (const target of graph.get(node) ?? []) visit(target, [...path, node])
    finished.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return circles
}

describe('imports', () => {
  /**
   * The layers of the rooms, from the bottom. A room imports itself and rooms on lower layers. Two rooms on one layer
   * never import each other.
   */
  const FLOORS: readonly (readonly string[])[] = [
    ['lib', 'config'],
    ['mime', 'db'],
    ['access', 'queue', 'smtp'],
    ['classification', 'http'],
    ['events', 'mcp', 'audit', 'request-log'],
    ['domains', 'webhooks', 'suppressions', 'keys'],
    ['teams', 'templates', 'tracking', 'certificates'],
    ['emails'],
    ['metrics', 'delivery', 'bodies'],
    ['audience'],
    ['campaigns', 'automations'],
    ['operator', 'privacy', 'inbound'],
    ['accounts'],
    ['app'],
    ['cli'],
    ['main.ts'],
  ]
  const floorOf = (file: string) => FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)))
  const roomOf = (file: string) => relative('src', file).split('/')[0] ?? ''
  const IMPORT = /^(?:import|export|\})[^'\n]* from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm
  const targetsOf = (file: string) =>
    [...textOf(file).matchAll(IMPORT)].map((match) =>
      relative(ROOT, resolve(ROOT, dirname(file), match[1] ?? match[2] ?? '')),
    )

  test('every room has a layer', () => {
    expect(SOURCES.filter((file) => floorOf(file) === -1)).toEqual([])
  })

  test('rooms import only rooms on lower layers', () => {
    const uphill = SOURCES.flatMap((file) =>
      targetsOf(file)
        .filter((target) => roomOf(file) !== roomOf(target))
        .filter((target) => floorOf(target) >= floorOf(file))
        .map((target) => `${file} -> ${target}`),
    )
    expect(uphill).toEqual([])
  })

  test('only the app room and tests import routes', () => {
    const others = FILES.filter((file) => !/^src\/app\/|^test\/|\.test\.tsx?$/.test(file))
    const imports = others.flatMap((file) =>
      targetsOf(file)
        .filter((target) => target.endsWith('-routes.ts'))
        .map((target) => `${file} -> ${target}`),
    )
    expect(imports).toEqual([])
  })

  test('the mime room returns problems and does not know errors of the API', () => {
    const mime = SOURCES.filter((file) => file.startsWith('src/mime/'))
    expect(mime.filter((file) => targetsOf(file).includes('src/lib/api-error.ts'))).toEqual([])
  })

  test('source files have no import cycles', () => {
    expect(findCircles(new Map(SOURCES.map((file) => [file, targetsOf(file)])))).toEqual([])
  })

  test('no folders of one room import each other in a circle; its own files count as one folder', () => {
    const folderOf = (file: string) => dirname(relative('src', file)).split('/').slice(0, 2).join('/')
    const imports = new Map<string, Set<string>>()
    for (const file of SOURCES) {
      const folder = folderOf(file)
      const targets = imports.get(folder) ?? new Set()
      for (const target of targetsOf(file).filter((one) => roomOf(one) === roomOf(file))) {
        if (folderOf(target) !== folder) targets.add(folderOf(target))
      }
      imports.set(folder, targets)
    }
    const reachable = (folder: string, seen = new Set<string>()): Set<string> => {
      for (const target of imports.get(folder) ?? []) {
        if (!seen.has(target)) reachable(target, seen.add(target))
      }
      return seen
    }
    const inCircles = [...imports.keys()].filter((folder) => reachable(folder).has(folder))
    expect(inCircles).toEqual([])
  })

  test('settings are read from the environment in one place', () => {
    const readers = SOURCES.filter((file) => /process\.env|\breadConfig\(/.test(textOf(file)))
    expect(readers.filter((file) => file !== 'src/config/config.ts').sort()).toEqual([
      // Commands that call the API have settings of their own, and read none of the server's.
      'src/cli/developer/environment.ts',
      'src/cli/operator/installation/settings.ts',
    ])
  })

  test('relative imports end in .ts or .tsx and exist', () => {
    const broken = FILES.filter((file) => /\.tsx?$/.test(file)).flatMap((file) =>
      targetsOf(file).filter((target) => !/\.(tsx?|mjs)$/.test(target) || !existsSync(join(ROOT, target))),
    )
    expect(broken).toEqual([])
  })

  test('the dashboard imports only types of the server', () => {
    // A test may compare with the server's code.
    const pages = FILES.filter((file) => file.startsWith('web/') && !file.endsWith('.test.ts'))
    const loading = pages.flatMap((file) =>
      [...textOf(file).matchAll(/^import (?!type\b)[^']*? from '(?:\.\.\/)+src\/[^']*'/gm)].map(
        ([line]) => `${file}: ${line}`,
      ),
    )
    expect(loading).toEqual([])
  })

  test('no area of the dashboard imports another', () => {
    const areaOf = (file: string) => /^web\/pages\/([^/]+)\//.exec(file)?.[1]
    const across = FILES.filter((file) => areaOf(file) !== undefined).flatMap((file) =>
      targetsOf(file)
        .filter((target) => areaOf(target) !== undefined && areaOf(target) !== areaOf(file))
        .map((target) => `${file} -> ${target}`),
    )
    expect(across).toEqual([])
  })

  const PAGES = FILES.filter((file) => /^web\/\w+\//.test(file) && !/\.test\.tsx?$/.test(file))

  test('files of the dashboard have no import cycles', () => {
    expect(findCircles(new Map(PAGES.map((file) => [file, targetsOf(file)])))).toEqual([])
  })

  test('folders of one room of the dashboard do not import each other in a circle', () => {
    const roomOfPage = (file: string) => /^web\/(?:pages\/)?[\w-]+/.exec(file)?.[0]
    const folders = new Map<string, Set<string>>()
    for (const file of PAGES) {
      for (const target of targetsOf(file)) {
        const [from, to] = [dirname(file), dirname(target)]
        if (from === to || roomOfPage(file) !== roomOfPage(target)) continue
        folders.set(from, (folders.get(from) ?? new Set()).add(to))
      }
    }
    expect(findCircles(folders)).toEqual([])
  })
})

describe('SQL', () => {
  /**
   * Files that forward statements of callers, send them on a kept connection (a restore, locks and vacuums), or query
   * name servers.
   */
  const LEFT_OUT = [
    'src/delivery/tls/dane.ts',
    'src/operator/restore/restore-database.ts',
    'src/privacy/retention/retention-round.ts',
  ]

  test('is only in query files and in src/db', () => {
    const others = SOURCES.filter(
      (file) => !/^src\/db\/|-queries\.ts$/.test(file) && !LEFT_OUT.includes(file),
    )
    expect(findLines(others, /\.query(<|\()|^\s*\.query\b|\bquery(Range|Patiently)\b/)).toEqual([])
    expect(findLines(others, /[`'"](select|insert into|delete from|with recursive) [\w$]/)).toEqual([])
  })
})

describe('files', () => {
  test('no file has more than 400 lines', () => {
    const long = FILES.filter((file) => textOf(file).split('\n').length > 401)
    expect(long).toEqual([])
  })

  test('no folder of the source or the dashboard has more than 25 files besides tests', () => {
    const counts = new Map<string, number>()
    const pages = FILES.filter((file) => file.startsWith('web/') && !file.endsWith('.test.ts'))
    for (const file of [...SOURCES, ...pages]) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count > 25)).toEqual([])
  })

  test('names are kebab-case', () => {
    const kebab =
      /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|optin\.test|browser\.test|config|browser\.config|journeys\.config))?\.(tsx?|mjs)$/
    expect(FILES.filter((file) => !kebab.test(basename(file)))).toEqual([])
  })

  test('no file has a default export or re-exports another file', () => {
    const exporting = OTHERS.filter(
      (file) =>
        !/^(web\/vite|vitest(\.browser|\.journeys)?)\.config\.ts$|^packages\/\w+\/src\/index\.ts$/.test(
          file,
        ) &&
        // Vitest loads it by its default export, as it does a configuration.
        file !== 'test/support/worker-environment.ts',
    )
    expect(findLines(exporting, /^export (default\b|\*|\{[^}]*\} from)/)).toEqual([])
  })

  test('no type has a generic name', () => {
    const empty =
      /^(export )?(abstract )?(class|interface|type) \w*(Service|Manager|Helper|Utils?|Data|Info)\b/
    expect(findLines(OTHERS, empty)).toEqual([])
  })

  test('no file has to-dos, suppressed checks or skipped tests', () => {
    expect(findLines(OTHERS, /\b(TODO|FIXME|XXX)\b|@ts-(ignore|expect-error|nocheck)|\bas any\b/)).toEqual([])
    expect(
      findLines(OTHERS, /\b(test|it|describe)\.(skip|only|todo|fails)\b|\bvi\.(mock|doMock|spyOn)\b/),
    ).toEqual([])
  })
})

test('every file that starts first exists', () => {
  const named = [...textOf('test/support/order.ts').matchAll(/^ {2}'([^']+)',$/gm)].map(([, name]) => name)
  expect(named).not.toEqual([])
  expect(named.filter((name) => !existsSync(join(ROOT, `${name}.test.ts`)))).toEqual([])
})

// A service that runs in the process of a test would wait forever for the faked timers that it has set.
test('no file that runs a service fakes timers', () => {
  const runs = /\b(shareSendwright|startTestSendwright|startApi|useServer|describeClients|useCommandLine)\(/
  const running = OTHERS.filter((file) => file.endsWith('.test.ts') && runs.test(textOf(file)))
  expect(running.length).toBeGreaterThan(100)
  expect(findLines(running, /\.useFakeTimers\(/)).toEqual([])
})

test('the schema has no times, random values or side effects', () => {
  const migrations = globSync('src/db/migrations/*.sql', { cwd: ROOT })
  const forbidden =
    /^(?!\s*--).*(\bnow\(\)|\brandom\(\)|gen_random_uuid|\bcreate (or replace )?(constraint )?trigger\b|\bserial\b|on delete set null)/i
  expect(migrations).not.toEqual([])
  expect(findLines(migrations, forbidden)).toEqual([])
})

describe('documents', () => {
  test('.env.example lists every setting, with its default or an example', async () => {
    const settings = describeSettings().map(({ name, help, example, secret }) => {
      const file = secret ? `\n# Or ${name}_FILE: a file that contains it.` : ''
      return `# ${help}${file}\n#${name}=${example}\n`
    })
    const head = '# Copy this file to .env. Variables of the environment override it.\n'
    // `npm test -- test/house.test.ts -u` updates the file.
    await expect([head, ...settings].join('\n')).toMatchFileSnapshot('../.env.example')
  })

  test('docs/operations.md explains every setting', () => {
    const text = textOf('docs/operations.md')
    const table = text.slice(text.indexOf('## Settings'), text.indexOf('## Direct delivery'))
    const explained = [...table.matchAll(/^\| `(\w+)`( \(or file\))? \|/gm)].map(([, name, file]) => ({
      name,
      secret: file !== undefined,
    }))
    expect(explained).toEqual(describeSettings().map(({ name, secret }) => ({ name, secret })))
  })

  test('docs/architecture.md describes every table', () => {
    const text = textOf('docs/architecture.md')
    const rows = text.slice(text.indexOf('## Tables'), text.indexOf('## Glossary')).match(/^\| `.*? \|/gm)
    const named = (rows ?? []).flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
    const migrations = globSync('src/db/migrations/*.sql', { cwd: ROOT }).map(textOf).join('\n')
    const made = [...migrations.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name = '']) => name)
    // The table of migrations is created before the first migration (db/migrations/migrate.ts).
    expect(named.sort()).toEqual(['migration', ...made].sort())
  })

  test('docs/errors.md lists every error with its status and message', () => {
    const rows = [...textOf('docs/errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+?) \|/gm)]
    const documented = rows.map(([, status, name, message]) => ({ name, status: Number(status), message }))
    const real = Object.entries(API_ERRORS).map(([name, apiError]) => ({ name, ...apiError }))
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      `${a.name}`.localeCompare(`${b.name}`)
    expect(documented.sort(byName)).toEqual(real.sort(byName))
  })

  test('docs/deliverability.md explains every category with its advice', () => {
    const text = textOf('docs/deliverability.md')
    const documented = text.slice(text.indexOf('## Categories')).match(/^\| `\w+` \|.*$/gm)
    const rows = Object.entries<Category>(CATEGORIES).map(([name, { fault, final, suppress }]) => {
      const ending = name === 'accepted' ? 'delivered' : `${final}${suppress === true ? ', suppressed' : ''}`
      return `| \`${name}\` | ${explainCategory(name)} | ${fault ?? ''} | ${ending} |`
    })
    expect(documented).toEqual(rows)
  })

  test('every npm command in the README and the docs exists', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const commands = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).flatMap((file) =>
      [...textOf(file).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
        (match) => match[1] ?? match[2] ?? '',
      ),
    )
    expect(commands.filter((command) => !(command in scripts))).toEqual([])
  })

  test('every file that a document links to exists', () => {
    const broken = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).flatMap((file) =>
      [...textOf(file).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !/^https?:/.test(target) && !existsSync(resolve(ROOT, dirname(file), target)))
        .map((target) => `${file} -> ${target}`),
    )
    expect(broken).toEqual([])
  })

  test('continuous integration runs every check, on the oldest Node.js that package.json supports', () => {
    expect(textOf('.ci/run')).toMatch(/^npm run check -- "\$@"$/m)
    const { scripts, engines } = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>
    expect(scripts?.check).toBe('exec node bin/check.mjs')
    const check = textOf('bin/check.mjs')
    const configs = new Set([...check.matchAll(/vitest\('([\w.]+)'/g)].map(([, config]) => config))
    const configOf = (command = '') => /vitest[.\w]*\.config\.ts/.exec(command)?.[0]
    const browser = configOf(textOf('bin/test-browser.mjs'))
    expect([...configs]).toEqual(['vitest.config.ts', configOf(scripts?.['test:journeys']), browser])
    const steps = [...check.matchAll(/\{\s+name: '([\w -]+)'/g)].map(([, name]) => name)
    expect(steps.length).toBeGreaterThan(8)
    const workflow = textOf('.github/workflows/ci.yml')
    const run = [...workflow.matchAll(/steps: (.+) \}/g)].map(([, names]) => ` ${names} `)
    const isRun = (step = '') =>
      run.some((names) => names.includes(` ${step} `) || names.includes(`"${step}"`))
    expect(steps.filter((step) => !isRun(step))).toEqual([])
    expect(workflow).toMatch(/run: bash \.ci\/run \$\{\{ matrix\.steps \}\}$/m)
    const oldest = workflow.slice(workflow.indexOf('  oldest:'), workflow.indexOf('  package:'))
    expect(`>=${/node-version: (\d+)/.exec(oldest)?.[1]}`).toBe(engines?.node)
    expect(oldest).toContain('run: bash .ci/smoke\n')
  })

  // Otherwise npm 11 and later reject `npm ci`. A registry that lacks some of them makes npm leave them out.
  test('package-lock.json has the optional packages of every platform, and no registry', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, LockedPackage>
    }
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {}).filter(
        (name) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages),
      ),
    )
    expect(missing).toEqual([])
    const fromRegistry = Object.values(packages).filter(({ link, resolved }) => resolved && link !== true)
    expect(fromRegistry).toEqual([])
  })
})

interface LockedPackage {
  optionalDependencies?: Record<string, string>
  resolved?: string
  /** A workspace of this repository. */
  link?: boolean
}
