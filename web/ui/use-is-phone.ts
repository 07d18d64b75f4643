import { useMediaQuery } from '@mantine/hooks'

/** Returns whether the window is as narrow as that of a phone. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
