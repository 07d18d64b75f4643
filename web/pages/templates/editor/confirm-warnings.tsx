import type { TemplatePreview } from '../../../api/records.ts'
import { confirm } from '../../../ui/forms/confirm.tsx'
import { PARTS } from '../checks/checks-panel.tsx'

/** More would not fit on a screen. The checks of the editor list all. */
const SHOWN_MAX = 5

/** Asks whether to publish what looks like a placeholder and is none. Resolves to true if there is nothing to ask. */
export function confirmWarnings(warnings: TemplatePreview['warnings']): Promise<boolean> {
  if (warnings.length === 0) return Promise.resolve(true)
  return new Promise((resolve) => {
    confirm({
      title: 'Publish with placeholders that are not filled in?',
      children: (
        <>
          Recipients will see these texts as they are:
          <ul>
            {warnings.slice(0, SHOWN_MAX).map(({ part, line, column, message }) => (
              <li key={`${part} ${line} ${column}`} className="foreign">
                {PARTS[part]}, line {line}: {message}
              </li>
            ))}
          </ul>
        </>
      ),
      action: 'Publish anyway',
      isDangerous: false,
      onConfirm: () => resolve(true),
      // After `onConfirm`, this has no effect.
      onClose: () => resolve(false),
    })
  })
}
