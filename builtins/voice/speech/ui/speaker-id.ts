// By which a page says that it is the one that speaks.

/** Only this page has it; a page without a secure context has no other source of ids. */
export function createSpeakerId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
