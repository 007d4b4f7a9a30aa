// Renders the pages of a PDF in a sandboxed frame.
import { isRecord } from '#lib/values';
import { ZoomIn, ZoomOut } from 'lucide-react';
import { useMemo, useState } from 'react';
import { SealedFrame } from '#page/kit/sealed-frame.tsx';
import { localeNow, t, tn } from '#page/kit/t.ts';
import { useThemeNow } from '#page/kit/use-theme-now.ts';
import type { PdfManner, PdfTask } from './sealed/pdf.ts';

const zooms = [0.5, 0.75, 1, 1.5, 2, 3];

interface Props {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Renders a replacement if the pages cannot be rendered. */
  readonly fallback: (fault: string) => React.ReactNode;
}

export function PdfView({ path, bytes, fallback }: Props) {
  const theme = useThemeNow();
  const [zoom, setZoom] = useState(1);
  const [said, setSaid] = useState<{ readonly bytes: Uint8Array; readonly pages: number; readonly fault?: string }>();
  const task = useMemo((): PdfTask => ({ bytes, label: t('Page {page}', { page: '{page}' }), language: localeNow() }), [bytes]);
  const manner = useMemo((): PdfManner => ({ zoom, theme }), [zoom, theme]);
  const step = (by: number): void => setZoom(zooms[zooms.indexOf(zoom) + by] ?? zoom);
  function onAnswer(answer: unknown): void {
    const { pages, fault } = isRecord(answer) ? answer : {};
    setSaid({ bytes, pages: typeof pages === 'number' ? pages : 0, ...(typeof fault === 'string' ? { fault } : {}) });
  }
  if (said?.fault !== undefined && said.bytes === bytes) return fallback(said.fault);
  return (
    <div className="sealed-page">
      <p className="sealed-page-bar small muted">
        <span role="status">{said ? tn(said.pages, '{count} page', '{count} pages') : t('Loading pages…')}</span>
        <button type="button" className="quiet-button" disabled={zoom === zooms[0]} onClick={() => step(-1)}>
          <ZoomOut size={14} aria-hidden /> <span>{t('Smaller')}</span>
        </button>
        <button type="button" className="quiet-button" disabled={zoom === zooms.at(-1)} onClick={() => step(1)}>
          <ZoomIn size={14} aria-hidden /> <span>{t('Larger')}</span>
        </button>
      </p>
      <SealedFrame name="pdf" className="sealed-page-frame" title={t('Preview of {path}', { path })} task={task} manner={manner} onAnswer={onAnswer} />
    </div>
  );
}
