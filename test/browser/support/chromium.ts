import { execFile, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findKeptFolder } from '../../support/run-folder.ts'

/** A browser that starts on a machine without the usual dependencies of browsers. */
export interface Installed {
  executablePath: string
  env: Record<string, string>
}

const ROOT = join(import.meta.dirname, '../../..')
const PACKAGE = join(ROOT, 'node_modules/@sparticuz/chromium')
/** Written last, so that a folder that contains it is complete. */
const FONTS = 'fonts.conf'
/** The package unpacks into the temporary directory, so a separate process gets another one. */
const UNPACK = `
  import { inflate } from '@sparticuz/chromium'
  await Promise.all(process.argv.slice(1).map((archive) => inflate(archive)))`
const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br', 'swiftshader.tar.br']

/** Unpacks the Chromium from npm, once per machine. CHROMIUM_PATH selects another one. */
export async function installChromium(): Promise<Installed> {
  const given = process.env.CHROMIUM_PATH
  if (given !== undefined) return { executablePath: given, env: inherited() }
  const folder = await unpackOnce()
  const executablePath = join(folder, 'chromium')
  const env = { ...inherited(), FONTCONFIG_FILE: join(folder, FONTS) }
  if (runs(executablePath, env)) return { executablePath, env }
  // The libraries in the package for machines without them (NSS, NSPR, expat).
  const withLibraries = { ...env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  if (runs(executablePath, withLibraries)) return { executablePath, env: withLibraries }
  throw new Error(`${executablePath} does not start here. Set CHROMIUM_PATH to a Chromium that does.`)
}

const inherited = () =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

function runs(executablePath: string, env: Record<string, string>): boolean {
  return spawnSync(executablePath, ['--version'], { env, stdio: 'ignore' }).status === 0
}

/**
 * Returns the complete folder. Several processes may need it at once: each fills its own, and the first renames it.
 */
async function unpackOnce(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
  const folder = join(findKeptFolder(), `sendwright-chromium-${version}-${process.getuid?.() ?? 0}`)
  if (existsSync(folder)) return checked(folder)
  const making = mkdtempSync(`${folder}-making-`)
  try {
    const archives = ARCHIVES.map((name) => join(PACKAGE, 'bin', name))
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK, ...archives], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: making },
    })
    writeFileSync(join(making, FONTS), fontsConfig(folder))
    renameSync(making, folder)
  } catch (error) {
    if (!existsSync(join(folder, FONTS))) throw error
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  return checked(folder)
}

/**
 * Checks the owner and mode of the folder. The temporary directory is shared, so only a folder that this user owns
 * and no other can write is executed.
 */
function checked(folder: string): string {
  const { uid, mode } = lstatSync(folder)
  const isOurs =
    lstatSync(folder).isDirectory() && uid === (process.getuid?.() ?? uid) && (mode & 0o022) === 0
  if (!isOurs || !existsSync(join(folder, FONTS)))
    throw new Error(`${folder} was not created by these tests. Remove it and try again.`)
  return folder
}

/**
 * Uses Open Sans for all text, so that pages look the same everywhere, and the machine's fonts for missing
 * characters.
 */
function fontsConfig(folder: string): string {
  const prefer = (family: string, font: string) =>
    `<match target="pattern"><test name="family"><string>${family}</string></test>` +
    `<edit name="family" mode="prepend" binding="strong"><string>${font}</string></edit></match>`
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  ${prefer('sans-serif', 'Open Sans')}
  ${prefer('system-ui', 'Open Sans')}
</fontconfig>
`
}
