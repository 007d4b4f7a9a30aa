// Encodes text messages as WebSocket frames of a server, once for all recipients.

const finalText = 0x81;

/** Encodes one text message, given as chunks of UTF-8, as an unfragmented and unmasked frame (RFC 6455, 5.2). */
export function frameOf(pieces: readonly Uint8Array[]): Buffer {
  return Buffer.concat([headOf(pieces.reduce((sum, { length }) => sum + length, 0)), ...pieces]);
}

/** Encodes the texts as consecutive frames. */
export function framesOf(texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text, 'utf8');
      return [headOf(bytes.length), bytes];
    }),
  );
}

function headOf(length: number): Buffer {
  if (length < 126) return Buffer.from([finalText, length]);
  const isShort = length < 0x1_0000;
  const head = Buffer.alloc(isShort ? 4 : 10);
  head[0] = finalText;
  head[1] = isShort ? 126 : 127;
  if (isShort) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}
