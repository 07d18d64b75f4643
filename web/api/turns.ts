/**
 * Runs `work` while the page is visible and no other tab of this browser runs work of the same name. Starts it again
 * whenever this tab gets its turn. Browsers provide locks only in secure contexts; elsewhere every visible tab runs the
 * work.
 */
export async function inTurns(
  name: string,
  stop: AbortSignal,
  work: (turn: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!stop.aborted) {
    const turn = new AbortController()
    const change = untilVisibilityChanges(stop).then(() => turn.abort())
    if (!document.hidden) await takeTurn(name, turn.signal, () => work(turn.signal))
    await change
  }
}

async function takeTurn(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work()
  // Rejects when the turn ends, and where the browser denies locks: this tab then never gets a turn, and refetches its
  // data only when the window gets the focus.
  await navigator.locks.request(name, { signal }, work).catch(() => undefined)
}

/** Resolves when the page's visibility changes. */
function untilVisibilityChanges(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal: stop })
    stop.addEventListener('abort', () => resolve())
  })
}

/** Returns a function that sends a message to all tabs of this browser, including this one. `onMessage` receives them. */
export function broadcastToTabs(
  name: string,
  onMessage: (message: string) => void,
  stop: AbortSignal,
): (message: string) => void {
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => onMessage(String(data))
  stop.addEventListener('abort', () => channel.close())
  return (message) => {
    if (stop.aborted) return
    channel.postMessage(message)
    onMessage(message)
  }
}
