import { defineConfig, type Plugin } from 'vite'

/** Parts that every page of people who are logged in needs, by the end of their source's path. */
const NEEDED_SOON = ['/web/app/shell.tsx', '/web/app/team-frame.tsx']

/** Begins to load the frame of all pages with the page, not when the program asks for it: one way less to wait for. */
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

/** The dashboard's build. Nothing is inlined: the page's policy allows no script but files of its own. */
export default defineConfig({
  base: '/',
  publicDir: 'public',
  plugins: [preloadFrame()],
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'icons', test: /@tabler/ },
            {
              name: 'widgets',
              test: /@mantine[\\/](core|hooks|form|spotlight|modals|notifications)|@floating-ui|[\\/]web[\\/](ui|api)[\\/](?!code-|mail-)/,
            },
          ],
        },
      },
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
})
