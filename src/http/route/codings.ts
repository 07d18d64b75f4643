/** Returns the codings that a client accepts. A weight of 0 means not accepted (RFC 9110 section 12.5.3). */
export function readCodings(header: string | string[] = ''): ReadonlySet<string> {
  const parts = String(header).toLowerCase().replaceAll(/\s/g, '').split(',')
  const codings = parts
    .map((part) => part.split(';'))
    .filter(([, weight = '']) => !/^q=0(\.0*)?$/.test(weight))
  return new Set(codings.map(([coding = '']) => coding))
}
