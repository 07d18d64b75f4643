// Runs before the page is painted, so that it does not flash in the other theme, or with every language of an example.
document.documentElement.dataset.scripts = ''
try {
  const theme = localStorage.getItem('sendwright-docs-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // The browser denies storage: the page follows the system.
}
