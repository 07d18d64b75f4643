/** Formats a share as `99.2 %`. Shares below 1 % get two decimals, so that they differ from zero. */
export function showShare(share: number): string {
  const percent = share * 100
  const digits = percent > 0 && percent < 1 ? 2 : 1
  return `${percent.toLocaleString(undefined, { maximumFractionDigits: digits })} %`
}
