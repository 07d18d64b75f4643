import { defineConfig } from 'vite'

/** The dashboard's build. Nothing is inlined: the page's policy allows no script but files of its own. */
export default defineConfig({
  base: '/',
  publicDir: 'public',
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
})
