// Topics as subjects of NATS, where dots part and `*` and `>` mean others.

/** Whatever a part is made of, it stays one part and means itself. */
export function subjectOf(topic: string): string {
  return topic
    .split('.')
    .map((part) => (part === '' ? '=' : part.replace(/[^\w-]/gu, (one) => `=${(one.codePointAt(0) ?? 0).toString(16)}=`)))
    .join('.');
}
