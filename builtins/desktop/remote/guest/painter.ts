// Decodes and draws frames one at a time; while a frame is being decoded, only the newest other frame is kept.
import type { FrameHeader } from '../guest-protocol.ts';

export interface PainterParts {
  /** Called when the frame's decoding starts. */
  readonly onTaken: (header: FrameHeader) => void;
  readonly onPainted: (header: FrameHeader) => void;
  readonly decode?: (jpeg: Uint8Array) => Promise<ImageBitmap>;
}

export interface Painter {
  show(header: FrameHeader, jpeg: Uint8Array): void;
}

export function createPainter(canvas: HTMLCanvasElement, { onTaken, onPainted, decode = decodeJpeg }: PainterParts): Painter {
  const context = canvas.getContext('2d', { alpha: false });
  let isDecoding = false;
  let newest: { readonly header: FrameHeader; readonly jpeg: Uint8Array } | undefined;

  async function paint({ header, jpeg }: NonNullable<typeof newest>): Promise<void> {
    isDecoding = true;
    onTaken(header);
    try {
      const picture = await decode(jpeg);
      if (canvas.width !== picture.width) canvas.width = picture.width;
      if (canvas.height !== picture.height) canvas.height = picture.height;
      context?.drawImage(picture, 0, 0);
      picture.close();
      onPainted(header);
    } catch {
      // An invalid image is not shown; the age of the last image reveals that.
    }
    isDecoding = false;
    const next = newest;
    newest = undefined;
    if (next) void paint(next);
  }

  return {
    show(header, jpeg) {
      if (isDecoding) newest = { header, jpeg };
      else void paint({ header, jpeg });
    },
  };
}

function decodeJpeg(jpeg: Uint8Array): Promise<ImageBitmap> {
  return createImageBitmap(new Blob([jpeg as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }));
}
