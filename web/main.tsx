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
import { ApiError } from './api/errors.ts'
import { pathWith } from './api/request.ts'
import { sessionQuery } from './api/session.ts'
import { prefetchCode } from './app/prefetch.ts'
import { createPages } from './app/router.tsx'
import { resolveVariables, theme } from './app/theme.ts'
import { Hints } from './ui/hints.tsx'

const RETRIES_MAX = 2

/** Sends a user whose session has ended to the login page, which leads back here. */
function noticeLogout(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  if (!client.getQueryData(sessionQuery.queryKey)) return
  // Loads a new page, so that no data of the session stays in memory.
  window.location.replace(pathWith('/app/login', { notice: 'left', next: pages.state.location.href }))
}

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeLogout }),
  mutationCache: new MutationCache({ onError: noticeLogout }),
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
