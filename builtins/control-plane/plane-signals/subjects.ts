// Topics as subjects of NATS, where dots part and `*` and `>` mean others.

/** Whatever a part is made of, it stays one part and means itself; only a pattern's `*` stands for any. */
export function subjectOf(topic: string, kind: 'topic' | 'pattern'): string {
  return topic
    .split('.')
    .map((part) => (kind === 'pattern' && part === '*' ? '*' : escapePart(part)))
    .join('.');
}

function escapePart(part: string): string {
  return part === '' ? '=' : part.replace(/[^\w-]/gu, (one) => `=${(one.codePointAt(0) ?? 0).toString(16)}=`);
}
