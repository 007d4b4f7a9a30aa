// A text as a QR code.
import { encode } from 'uqr';
import { qrPath } from './qr-path.ts';

/** Loaded on use: it brings the encoder with it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  // Dark on light in every theme: cameras do not read the other way round.
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="white" />
      <path d={qrPath(data)} fill="black" />
    </svg>
  );
}
