import { texts } from '../texts.ts'

const NAMES: Readonly<Record<string, string>> = texts.providers

/** Returns the name of a mailbox provider for people. One that the dashboard does not know keeps that of the API. */
export function showProvider(provider: string): string {
  return NAMES[provider] ?? provider
}
