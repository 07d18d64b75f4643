import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findSection } from './changelog.ts'
import { listDependencies, packClone } from './copy-dependencies.ts'

// Makes a release of the version in package.json: its part of the changelog, the tarball for npm, the list of its
// dependencies (SBOM), the image and the tag. `--dry-run` makes all but the tag, and an image only if there is an engine.
// It publishes nothing: it ends with the commands that do.

const ROOT = join(import.meta.dirname, '..', '..')
const OUTPUT = join(ROOT, 'release')
const isDryRun = process.argv.includes('--dry-run')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const tag = `v${version}`

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
    maxBuffer: 1e9,
  })
}

function fail(problem: string): never {
  console.error(problem)
  process.exit(1)
}

/** A release must be what the repository has. A dry run may have changes. */
function checkRepository(): void {
  if (isDryRun) return
  if (run('git', 'status', '--porcelain') !== '') fail('The clone has changes. Commit them first.')
  if (run('git', 'tag', '--list', tag) !== '')
    fail(`The tag ${tag} exists. Raise the version in package.json.`)
}

/** Returns the notes. A dry run before the version has its section shows what is unreleased. */
function readNotes(): string {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const notes = findSection(changelog, version) ?? (isDryRun ? findSection(changelog, 'Unreleased') : null)
  return notes ?? fail(`CHANGELOG.md has no section "## [${version}]". Rename the section Unreleased.`)
}

interface Sbom {
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * Returns the packages that the tarball depends on, in the versions that were tested. `npm sbom --omit=dev` would leave out
 * those that tools of this repository use as well.
 */
function listComponents(): Sbom {
  const sbom = JSON.parse(run('npm', 'sbom', '--workspaces=false', '--sbom-format=cyclonedx')) as Sbom
  const shipped = new Set(listDependencies().map(describePackage))
  const isShipped = (ref: string) => shipped.has(ref)
  return {
    ...sbom,
    components: sbom.components.filter((one) => isShipped(one['bom-ref'])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => isShipped(ref) || ref === `sendwright@${version}`)
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  }
}

function describePackage(path: string): string {
  const found = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as Record<string, string>
  return `${found.name}@${found.version}`
}

/** Builds the image for this machine if it has an engine. The other platforms are built when it is pushed. */
function buildImage(): string {
  const hasEngine = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0
  if (!hasEngine && isDryRun) return 'no container engine: the image was not built'
  if (!hasEngine) fail('Docker does not run here, so the image cannot be built.')
  run('docker', 'build', '--tag', `sendwright:${version}`, '.')
  return `sendwright:${version}`
}

checkRepository()
rmSync(OUTPUT, { recursive: true, force: true })
mkdirSync(OUTPUT)
writeFileSync(join(OUTPUT, 'notes.md'), readNotes())
const tarball = packClone(OUTPUT)
const sbom = listComponents()
writeFileSync(join(OUTPUT, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
const sums = [tarball, join(OUTPUT, 'sbom.cdx.json')].map((file) => {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
  return `${sum}  ${basename(file)}\n`
})
writeFileSync(join(OUTPUT, 'SHA256SUMS'), sums.join(''))
const image = buildImage()
if (!isDryRun) run('git', 'tag', '--annotate', tag, '--message', `Sendwright ${version}`)

const bytes = readFileSync(tarball).length
console.log(`version   ${version}`)
console.log(`tarball   release/${basename(tarball)} (${(bytes / 1e6).toFixed(1)} MB)`)
console.log(`SBOM      release/sbom.cdx.json (${sbom.components.length} packages)`)
console.log(`image     ${image}`)
console.log(`tag       ${isDryRun ? `${tag} (not made: dry run)` : tag}`)
console.log(`
To publish:
  git push origin ${tag}
  npm publish release/${basename(tarball)}
  docker buildx build --platform linux/amd64,linux/arm64 --tag REGISTRY/sendwright:${version} --push .`)
