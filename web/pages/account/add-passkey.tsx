import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewPasskey, PasskeyOptions } from '../../api/account-records.ts'
import { createPasskey, PasskeyDismissed } from '../../api/passkeys.ts'
import { keyOf } from '../../api/query-keys.ts'
import { requestJson } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { describeBrowser } from './describe-browser.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useProof } from './use-proof.tsx'

/** Adds a passkey on this device or on a nearby one. */
export function AddPasskey({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = () => {
    setCodes(null)
    onClose()
  }
  return (
    <Modal
      opened={isOpen || codes !== null}
      onClose={close}
      title={codes === null ? 'Add passkey' : 'Your recovery codes'}
      closeOnClickOutside={codes === null}
      closeOnEscape={codes === null}
      withCloseButton={codes === null}
    >
      {codes === null ? (
        <PasskeyForm onClose={close} onCodes={setCodes} />
      ) : (
        <RecoveryCodes codes={codes} onDone={close} />
      )}
    </Modal>
  )
}

function PasskeyForm({ onClose, onCodes }: { onClose(): void; onCodes(codes: readonly string[]): void }) {
  const client = useQueryClient()
  const proof = useProof()
  const form = useForm({ initialValues: { name: describeBrowser(navigator.userAgent) } })
  const add = async (name: string, body: object) => {
    const options = await requestJson<PasskeyOptions>('/account/passkeys/options', {
      method: 'POST',
      body,
      teamId: null,
    })
    try {
      const response = await createPasskey(options)
      const init = { method: 'POST', body: { response, name }, teamId: null } as const
      const { recovery_codes: codes } = await requestJson<NewPasskey>('/account/passkeys', init)
      void client.invalidateQueries({ queryKey: keyOf(null, '/account') })
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
      notifyDone(`Passkey “${name}” added.`)
      if (codes === null) onClose()
      else onCodes(codes)
    } catch (error) {
      if (!(error instanceof PasskeyDismissed)) throw error
    }
  }
  return (
    <>
      <form onSubmit={form.onSubmit(({ name }) => proof.run((body) => add(name, body)))} noValidate>
        <Stack gap="md">
          <TextInput
            label="Name"
            description="A name that distinguishes this passkey from your others."
            data-autofocus
            maxLength={100}
            {...form.getInputProps('name')}
          />
          <Text size="sm" c="dimmed">
            Your browser then asks where to save it.
          </Text>
          <FormFooter
            onCancel={onClose}
            isPending={proof.isRunning}
            isDisabled={form.values.name.trim() === ''}
          >
            Continue
          </FormFooter>
        </Stack>
      </form>
      {proof.dialog}
    </>
  )
}
