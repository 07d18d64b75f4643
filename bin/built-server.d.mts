export const SERVER: string
export function ensureServerBuilt(): Promise<number>
