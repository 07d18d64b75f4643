/** What must stay text wherever it is shown: were it markup, it would run or ask another host. */
export const NASTY = `"'><img src=https://evil.test/x onerror="window.hacked=1"><script>window.hacked=1</script>`

/** The same within what an address may be. */
export const NASTY_ADDRESS = `"<img/src=x/onerror=window.hacked=1>"@x.test`
