import './styles/library.css'
import './styles/fonts.css'
import './styles/base.css'
import './styles/kit.css'
import './styles/lists.css'
import './styles/shell.css'
import './styles/code.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { leaveFor, noticeSessionEnd, watchLogouts } from './api/ended-session.ts'
import { ApiError } from './api/errors.ts'
import { needsLogin } from './api/guarded-paths.ts'
import { forgetDraftsOf, forgetOldDrafts } from './api/kept-drafts.ts'
import { pathWith } from './api/request.ts'
import { sessionQuery } from './api/session.ts'
import { prefetchCode } from './app/prefetch.ts'
import { createPages } from './app/router.tsx'
import { resolveVariables, theme } from './app/theme.ts'
import { Hints } from './ui/hints.tsx'

const RETRIES_MAX = 2

// At once, also in a hidden tab: whoever logs out leaves the computer to others.
watchLogouts(() => {
  const session = client.getQueryData(sessionQuery.queryKey)
  if (!session) return
  forgetDraftsOf(session.user.id)
  const { pathname, href } = pages.state.location
  if (needsLogin(pathname)) leaveFor(pathWith('/app/login', { notice: 'left', next: href }))
  else client.setQueryData(sessionQuery.queryKey, null)
})

/** Asks for the password over the page once its session has ended. Pages without a session ask for the login themselves. */
function noticeEnd(error: Error): void {
  if (client.getQueryData(sessionQuery.queryKey)) noticeSessionEnd(error)
}

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Errors of the request itself (4xx) would only repeat.
      retry: (count, error) =>
        count < RETRIES_MAX && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
})
const pages = createPages(client)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root.')
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={resolveVariables}
    defaultColorScheme="auto"
    colorSchemeManager={localStorageColorSchemeManager({ key: 'sendwright-colours' })}
  >
    <QueryClientProvider client={client}>
      <ModalsProvider>
        <RouterProvider router={pages} />
      </ModalsProvider>
    </QueryClientProvider>
    <Hints />
    <Notifications position="bottom-right" />
  </MantineProvider>,
)
prefetchCode()
forgetOldDrafts()
