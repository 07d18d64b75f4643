import { type LinkComponentProps, useLinkProps } from '@tanstack/react-router'

type LinkProps = LinkComponentProps<'a'>

/**
 * A link to a page. The router marks every link that leads to the current page or above it with `aria-current="page"`;
 * this one has only the mark that it is given, so that a screen reader announces one current page.
 */
export function Link({ 'aria-current': current, children, ...props }: LinkProps) {
  const anchor = useLinkProps(props as never)
  return (
    <a {...anchor} aria-current={current}>
      {children as React.ReactNode}
    </a>
  )
}
