/** Header fields of a message, as written. */
export function HeaderTable({ headers }: { headers: readonly { name: string; value: string }[] }) {
  return (
    <table className="header-table code" aria-label="Header fields">
      <tbody>
        {headers.map(({ name, value }, index) => (
          <tr key={`${String(index)} ${name}`}>
            <th scope="row" className="foreign">
              {name}
            </th>
            <td className="foreign">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
