// The health check of the image: exits with 0 if the server is ready. A process without the role `api` has no /readyz, but
// it answers on its metrics port.
const { PORT = '8080', SENDWRIGHT_METRICS_PORT: metricsPort } = process.env
const urls = [`http://127.0.0.1:${PORT}/readyz`]
if (metricsPort !== undefined) urls.push(`http://127.0.0.1:${metricsPort}/metrics`)

async function ask(url) {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(4_000) })
  } catch {
    return null
  }
}

const [api, metrics] = await Promise.all(urls.map(ask))
process.exitCode = (api ?? metrics)?.ok === true ? 0 : 1
