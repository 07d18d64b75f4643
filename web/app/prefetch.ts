/** The first page and its data come first. */
const WAIT_MS = 3_000

/**
 * Loads the code of all pages into the cache of the browser, one file at a time, so that pages also open while the server
 * restarts or after an upgrade. Not if the user asked the browser to save data. The build lists the files in the HTML page
 * (web/vite.config.ts).
 */
export function prefetchCode(): void {
  if (savesData()) return
  const files = document.querySelector<HTMLMetaElement>('meta[name="sendwright-code"]')?.content.split(' ')
  if (files !== undefined) window.setTimeout(() => void prefetch(files), WAIT_MS)
}

/** Whether the user asked the browser to save data. Only browsers of the Chromium family tell. */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

async function prefetch(files: readonly string[]): Promise<void> {
  try {
    for (const file of files) {
      const response = await fetch(file, { priority: 'low' })
      await response.arrayBuffer()
    }
  } catch {
    // The server is away. Pages that are not loaded say so when they are opened.
  }
}
