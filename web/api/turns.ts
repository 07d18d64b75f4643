/**
 * Does the work while the page is seen and no other tab of this browser does any of the same name; begun again whenever it is
 * this tab's turn. Browsers know of turns only where the connection is a safe one: elsewhere each tab that is seen has its own.
 */
export async function inTurns(
  name: string,
  stop: AbortSignal,
  work: (turn: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!stop.aborted) {
    const turn = new AbortController()
    const change = untilSeenOrNot(stop).then(() => turn.abort())
    if (!document.hidden) await takeTurn(name, turn.signal, () => work(turn.signal))
    await change
  }
}

async function takeTurn(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work()
  // Nobody's turn ever comes where it is turned down; what is shown is still read again when somebody looks.
  await navigator.locks.request(name, { signal }, work).catch(() => undefined)
}

/** Until the page comes into sight or goes out of it. */
function untilSeenOrNot(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal: stop })
    stop.addEventListener('abort', () => resolve())
  })
}

/** Says words to all tabs of this browser, this one too; `hear` gets them. */
export function speakToTabs(
  name: string,
  hear: (word: string) => void,
  stop: AbortSignal,
): (word: string) => void {
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => hear(String(data))
  stop.addEventListener('abort', () => channel.close())
  return (word) => {
    if (stop.aborted) return
    channel.postMessage(word)
    hear(word)
  }
}
