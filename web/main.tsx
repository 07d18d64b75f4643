import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './styles/app.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/errors.ts'
import { pathWith } from './api/request.ts'
import { sessionQuery } from './api/session.ts'
import { createPages } from './app/router.tsx'
import { resolveVariables, theme } from './app/theme.ts'

const RETRIES_MAX = 2

/** Who is logged out meanwhile is led to the login, and back again. */
function noticeLogout(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  if (!client.getQueryData(sessionQuery.queryKey)) return
  // By a new page, so that nothing of what was shown is kept.
  window.location.replace(pathWith('/app/login', { dsn: 'left', next: pages.state.location.href }))
}

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeLogout }),
  mutationCache: new MutationCache({ onError: noticeLogout }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the API refuses it refuses again.
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
    <Notifications position="bottom-right" />
  </MantineProvider>,
)
