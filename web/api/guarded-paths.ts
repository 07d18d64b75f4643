/** The paths of pages that need no login. */
const OUTSIDE = /^\/(login|welcome|invitation|forgot|reset|enter)(\/|$)/

export const pathBelowApp = (pathname: string) => pathname.replace(/^\/app(?=\/|$)/, '').replace(/^\/+/, '/')

/** Returns whether only users who are logged in see the page with this path. */
export const needsLogin = (pathname: string) => !OUTSIDE.test(pathBelowApp(pathname))
