// Renders a text as a QR code.
import { encode } from 'uqr';
import { qrPath } from './qr-path.ts';

/** Loaded on first use, because it includes the encoder. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  // Dark on light in every theme: many cameras cannot read inverted codes.
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="white" />
      <path d={qrPath(data)} fill="black" />
    </svg>
  );
}
