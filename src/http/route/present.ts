/** Returns the response of a DELETE. An empty 204 would break the Resend SDK. */
export function deletedToJson(kind: string, id: string): { object: string; id: string; deleted: true } {
  return { object: kind, id, deleted: true }
}
