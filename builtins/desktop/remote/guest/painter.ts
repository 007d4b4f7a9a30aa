// Draws frames: one is being decoded, and of those that arrive meanwhile only the newest waits.
import type { FrameHeader } from '../guest-protocol.ts';

export interface PainterParts {
  /** It is being decoded now. */
  readonly onTaken: (header: FrameHeader) => void;
  readonly onPainted: (header: FrameHeader) => void;
  /** Converts a JPEG into something that can be drawn. */
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
      // An invalid picture is not shown, and the age of the last one reveals it.
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
