/** A text that must be shown as text: as markup, it would run code or contact another host. */
export const NASTY = `"'><img src=https://evil.test/x onerror="window.hacked=1"><script>window.hacked=1</script>`

/** A hostile text that is a valid address. */
export const NASTY_ADDRESS = `"<img/src=x/onerror=window.hacked=1>"@x.test`
