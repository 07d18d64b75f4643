/**
 * Takes half of one processor until it is killed, as a neighbour would: in each period it computes until it has used half
 * the period in CPU time, and sleeps for the rest. The parent pins it to its processor.
 */
const PERIOD_MS = 20
const SHARE = 0.5

const sleeper = new Int32Array(new SharedArrayBuffer(4))

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

for (;;) {
  const endAt = performance.now() + PERIOD_MS
  const cpuEnd = readCpuMs() + PERIOD_MS * SHARE
  while (readCpuMs() < cpuEnd && performance.now() < endAt);
  // Nothing notifies it: this only sleeps, without the event loop.
  Atomics.wait(sleeper, 0, 0, Math.max(0, endAt - performance.now()))
}
