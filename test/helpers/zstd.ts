// Writes Zstandard files with uncompressed blocks.

/** Returns a frame of one raw block. `text` must be shorter than 64 kB. */
export function zstd(text: string): Uint8Array {
  const content = Buffer.from(text);
  if (content.length >= 65_536) throw new Error('too long for one block here');
  // Magic number, single-segment header with a two-byte size, header of the last block, block content.
  const frame = Buffer.alloc(4 + 1 + 2 + 3);
  frame.writeUInt32LE(0xfd2fb528, 0);
  frame.writeUInt8(0b0110_0000, 4);
  frame.writeUInt16LE(content.length - 256, 5);
  frame.writeUIntLE(1 | (content.length << 3), 7, 3);
  return Buffer.concat([frame, content]);
}
