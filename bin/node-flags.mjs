/**
 * For a server that composes messages all day: most of what it allocates dies at once, and a larger nursery lets it die
 * there. Measured with 10 KB emails: 15 % less CPU of the Node process for a few MB more at rest.
 */
export const NODE_FLAGS = ['--min-semi-space-size=8', '--max-semi-space-size=64']
