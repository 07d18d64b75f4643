import { defineConfig, type Plugin } from 'vite'

/** Modules that every page behind the login needs, by the end of their path. */
const NEEDED_SOON = ['/web/app/shell.tsx', '/web/app/team-frame.tsx']

/** Preloads the frame of all pages with the HTML page, which saves a round trip. */
function preloadFrame(): Plugin {
  return {
    name: 'preload-frame',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
        const frames = chunks.filter(({ facadeModuleId }) =>
          NEEDED_SOON.some((end) => facadeModuleId?.endsWith(end)),
        )
        const files = new Set(frames.flatMap(({ fileName, imports }) => [fileName, ...imports]))
        const entry = chunks.find(({ isEntry }) => isEntry)
        return [...files]
          .filter((file) => file !== entry?.fileName && entry?.imports.includes(file) !== true)
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}

/** Lists all code in the HTML page, for web/app/prefetch.ts. */
function listCode(): Plugin {
  return {
    name: 'list-code',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const files = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))
        const content = files.map((name) => `/${name}`).join(' ')
        return [{ tag: 'meta', attrs: { name: 'sendwright-code', content }, injectTo: 'head' as const }]
      },
    },
  }
}

/** Preloads the font of all text, which would otherwise wait for the styles. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const fonts = Object.keys(bundle).filter((name) => /\binter-latin-wght-[^/]*\.woff2$/.test(name))
        return fonts.map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${name}` },
          injectTo: 'head' as const,
        }))
      },
    },
  }
}

/**
 * Builds the dashboard. Nothing is inlined: the content security policy allows only scripts from files of this origin.
 */
export default defineConfig({
  base: '/',
  publicDir: 'public',
  plugins: [preloadFrame(), preloadFont(), listCode()],
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    // The licences of the libraries in the bundle, which must accompany it.
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'icons', test: /@tabler/ },
            {
              name: 'widgets',
              test: /@mantine[\\/](core|hooks|form|spotlight|modals|notifications)|@floating-ui|[\\/]web[\\/](ui|api)[\\/](?!(code|mail)[\\/])/,
            },
          ],
        },
      },
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
})
