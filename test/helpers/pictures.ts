// Builds images of any size with valid headers. Only `pixel` can be decoded.

/** A PNG of one pixel, in base64. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export function png(width: number, height: number): Buffer {
  const whole = Buffer.from(pixel, 'base64');
  whole.writeUInt32BE(width, 16);
  whole.writeUInt32BE(height, 20);
  return whole;
}

/** Builds a JPEG file with a thumbnail that has an end marker of its own. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0000b0800000000010111 00'.replace(' ', ''), 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const thumbnail = Buffer.from('ffe10008ffd8aaaaffd9', 'hex');
  const scan = Buffer.from('ffda0008010100003f00aabbff00ccffd0dd', 'hex');
  return Buffer.concat([Buffer.from('ffd8', 'hex'), thumbnail, frame, scan, Buffer.from('ffd9', 'hex')]);
}

export function gif(width: number, height: number): Buffer {
  const whole = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  whole.writeUInt16LE(width, 6);
  whole.writeUInt16LE(height, 8);
  return whole;
}

export function webpLossy(width: number, height: number): Buffer {
  const whole = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
  whole.writeUInt16LE(width, 26);
  whole.writeUInt16LE(height, 28);
  return whole;
}

export function webpLossless(width: number, height: number): Buffer {
  const whole = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
  whole.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 21);
  return whole;
}

export function webpExtended(width: number, height: number): Buffer {
  const head = Buffer.alloc(30);
  head.write('RIFF\0\0\0\0WEBPVP8X', 'latin1');
  head.writeUInt32LE(10, 16);
  head.writeUIntLE(width - 1, 24, 3);
  head.writeUIntLE(height - 1, 27, 3);
  const whole = Buffer.concat([head, webpLossy(width, height).subarray(12)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}
