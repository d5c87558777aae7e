// What browsers have and TypeScript's own declarations do not know yet.
interface Uint8ArrayConstructor {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}
