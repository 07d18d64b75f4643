import { deriveKey, seal, unseal } from '../lib/crypto/seal.ts'

const PURPOSE = 'tls private keys'

/** Seals and unseals private keys as PEM. A key is bound to its owner: it does not open under another name. */
export interface SealedKeys {
  seal(owner: string, pem: string): Buffer
  /** Throws if the key was sealed with another master key, or for another owner. */
  unseal(owner: string, sealed: Buffer): string
}

/** @param secret the master key of the installation */
export function createSealedKeys(secret: Buffer): SealedKeys {
  const key = deriveKey(secret, PURPOSE)
  return {
    seal: (owner, pem) => seal(key, Buffer.from(pem, 'utf8'), owner),
    unseal: (owner, sealed) => unseal(key, sealed, owner).toString('utf8'),
  }
}
