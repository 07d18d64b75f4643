import { createServer } from 'node:net'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { listenHere } from '../../support/listen-here.ts'

/** A socket that must never get a connection, and texts that try to make a browser connect to it or run code. */
export interface Trap {
  /** An http URL at 127.0.0.1, which the browser could reach. */
  url: string
  /** HTML with every attack that an email could try. */
  html: string
  /** A text for names, subjects and similar fields. */
  text: string
  /** Throws when code ran in the page or any of its frames, or something connected. */
  expectUnsprung(page: Page): Promise<void>
  close(): Promise<void>
}

export async function setTrap(): Promise<Trap> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const { url, close } = await listenHere(server)
  return {
    url,
    html: writeHtml(url),
    text: `"><img src="${url}/t" onerror="window.pwned=1"><script>window.pwned=1</script>`,
    async expectUnsprung(page) {
      for (const frame of page.frames()) expect(await frame.evaluate('window.pwned')).toBeUndefined()
      expect(connections).toBe(0)
    },
    close,
  }
}

function writeHtml(url: string): string {
  return `<!doctype html><html><head>
<meta http-equiv="refresh" content="0;url=${url}/refresh">
<base href="${url}/">
<link rel="stylesheet" href="${url}/link.css"><link rel="dns-prefetch" href="${url}"><link rel="preconnect" href="${url}">
<link rel="prefetch" href="${url}/prefetch"><link rel="icon" href="${url}/icon">
<style>@import "${url}/import.css"; @import url(${url}/import2.css);
@font-face { font-family: f; src: url(${url}/font) } body { background: url('${url}/body.png'); font-family: f }
p::after { content: url("${url}/after.png") } h1 { background: image-set("${url}/set.png" 1x) }</style>
<script>window.pwned=1; top.pwned=1; fetch('${url}/fetch'); alert(1)</script>
<script src="${url}/script.js"></script></head>
<body onload="top.pwned=1" background="${url}/bg.png">
<h1 onclick="top.pwned=1" style="background:url(${url}/h1.png)">Hostile</h1>
<p>The end of this text is here.</p>
<img src="${url}/img.png" onerror="top.pwned=1"><img src="/captured" alt="own"><img srcset="${url}/srcset.png 1x">
<picture><source srcset="${url}/source.png"><img src="x" onerror="top.pwned=1"></picture>
<svg onload="top.pwned=1"><script>top.pwned=1</script><image href="${url}/svg.png" xlink:href="${url}/svg2.png"/>
<use href="${url}/use.svg#x"/><foreignObject><iframe src="${url}/foreign"></iframe></foreignObject>
<animate attributeName="href" values="${url}/animate"/></svg>
<math><mtext><table><mglyph><style><img src="${url}/math" onerror="top.pwned=1"></style></mglyph></table></mtext></math>
<iframe src="${url}/iframe"></iframe><iframe srcdoc="<script>top.pwned=1</script>"></iframe>
<object data="${url}/object"></object><embed src="${url}/embed"><frameset><frame src="${url}/frame"></frameset>
<video poster="${url}/poster" src="${url}/video" autoplay></video><audio src="${url}/audio" autoplay></audio>
<input type="image" src="${url}/input.png"><input autofocus onfocus="top.pwned=1">
<form action="${url}/form"><button id="send">Send</button></form>
<a href="${url}/a" ping="${url}/ping" target="_top">A link</a><a href="javascript:top.pwned=1">Another</a>
<template shadowrootmode="open"><link rel="stylesheet" href="${url}/shadow.css"><img src="${url}/shadow.png"></template>
<noscript><img src="${url}/noscript.png"></noscript><!--><img src="${url}/comment" onerror="top.pwned=1">-->
<details open ontoggle="top.pwned=1"></details><marquee onstart="top.pwned=1"></marquee>
<body onpageshow="top.pwned=1"></body></html>`
}
