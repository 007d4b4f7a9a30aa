// Zstandard, as far as it takes to write a file: blocks that are not packed.

/** A frame of one raw block; `text` must be shorter than 64 kB. */
export function zstd(text: string): Uint8Array {
  const content = Buffer.from(text);
  if (content.length >= 65_536) throw new Error('too long for one block here');
  // Magic number, a header for one segment with its size in two bytes, the header of the last block, its bytes.
  const frame = Buffer.alloc(4 + 1 + 2 + 3);
  frame.writeUInt32LE(0xfd2fb528, 0);
  frame.writeUInt8(0b0110_0000, 4);
  frame.writeUInt16LE(content.length - 256, 5);
  frame.writeUIntLE(1 | (content.length << 3), 7, 3);
  return Buffer.concat([frame, content]);
}
