/** The key that this system uses for commands. */
export const MOD_KEY = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl'
